/** The state of an own album, as its member sees it. This module is pure. */

import { MEMBER_STATUS, UPLOAD_STATUS, type MemberStatus, type UploadStatus } from '@/api/status';

export type AlbumState = 'draft' | 'moderation' | 'rejected' | 'isPrivate' | 'published';

/** States of albums that only their owner can see. */
const HIDDEN: Partial<Record<UploadStatus, AlbumState>> = {
  [UPLOAD_STATUS.inReview]: 'moderation',
  [UPLOAD_STATUS.draft]: 'draft',
  [UPLOAD_STATUS.rejected]: 'rejected',
};

interface Own {
  status_id: UploadStatus;
  is_private: boolean;
}

export const albumState = ({ status_id, is_private }: Own): AlbumState =>
  HIDDEN[status_id] ?? (is_private ? 'isPrivate' : 'published');

/** Whether the member may delete the album. Any member may delete a draft, which was never submitted. */
export const mayDelete = (album: Own, memberStatus: MemberStatus): boolean =>
  memberStatus === MEMBER_STATUS.managesUploads || albumState(album) === 'draft';
