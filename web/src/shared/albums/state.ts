/** The state of an own album, as its member sees it. This module is pure. */

export type AlbumState = 'draft' | 'moderation' | 'rejected' | 'isPrivate' | 'published';

/** States by `status_id` for albums that only their owner can see. */
const HIDDEN: Partial<Record<number, AlbumState>> = { 2: 'moderation', 3: 'draft', 4: 'rejected' };
/** `status_id` of members who may delete published albums. */
const MANAGES = 6;

interface Own {
  status_id: number;
  is_private: boolean;
}

export const albumState = ({ status_id, is_private }: Own): AlbumState =>
  HIDDEN[status_id] ?? (is_private ? 'isPrivate' : 'published');

/** Whether the member may delete the album. Any member may delete a draft, which was never submitted. */
export const mayDelete = (album: Own, memberStatus: number): boolean =>
  memberStatus === MANAGES || albumState(album) === 'draft';
