/** Uploaded videos: what they are and what may be done with them. Pure. */
import type { OwnVideo } from './lists';

/** `status_id` of members who manage their uploads. */
export const MANAGES = 6;
/** Codes of `video_edit.php` (SPEC section 4). */
export const ACTS = { delete: 2, private: 3, readd: 4 } as const;
/** Days until a video is added again, where nothing else is asked. */
export const READD_DAYS = 7;
export const READD_MOST = 365;

const ACTIVE = 1;
const DELETED = 5;

export type UploadState = 'deleted' | 'waiting' | 'isPrivate' | 'isPublic';

/** Deleted wins over private, as the specification orders them. */
export function stateOf({
  status_id = ACTIVE,
  is_private = false,
}: Pick<OwnVideo, 'status_id' | 'is_private'>): UploadState {
  if (status_id === DELETED) return 'deleted';
  if (status_id !== ACTIVE) return 'waiting';
  return is_private ? 'isPrivate' : 'isPublic';
}

/** Whole days from what was typed, `null` for anything else. */
export function daysOf(text: string): number | null {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= READD_MOST ? days : null;
}
