/** What an own album is to its member. Pure. */

export type AlbumState = 'draft' | 'moderation' | 'rejected' | 'isPrivate' | 'published';

/** `status_id` of albums that nobody else sees yet. */
const HIDDEN: Partial<Record<number, AlbumState>> = { 2: 'moderation', 3: 'draft', 4: 'rejected' };
/** `status_id` of members who may delete what others saw. */
const MANAGES = 6;

interface Own {
  status_id: number;
  is_private: boolean;
}

export const albumState = ({ status_id, is_private }: Own): AlbumState =>
  HIDDEN[status_id] ?? (is_private ? 'isPrivate' : 'published');

/** What was never handed in is its member's to throw away. */
export const mayDelete = (album: Own, memberStatus: number): boolean =>
  memberStatus === MANAGES || albumState(album) === 'draft';
