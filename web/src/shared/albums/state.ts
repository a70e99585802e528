/** An own album's state for its member. Pure. */

export type AlbumState = 'draft' | 'moderation' | 'rejected' | 'isPrivate' | 'published';

/** `status_id` of albums visible only to their owner. */
const HIDDEN: Partial<Record<number, AlbumState>> = { 2: 'moderation', 3: 'draft', 4: 'rejected' };
/** `status_id` of members who may delete published albums. */
const MANAGES = 6;

interface Own {
  status_id: number;
  is_private: boolean;
}

export const albumState = ({ status_id, is_private }: Own): AlbumState =>
  HIDDEN[status_id] ?? (is_private ? 'isPrivate' : 'published');

/** Any member may delete a draft, which was never submitted. */
export const mayDelete = (album: Own, memberStatus: number): boolean =>
  memberStatus === MANAGES || albumState(album) === 'draft';
