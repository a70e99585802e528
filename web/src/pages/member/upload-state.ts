/** The states of uploaded videos, and the actions available in each state. This module is pure. */
import { limits } from '@/lib/limits';
import type { OwnVideo } from '@/shared/queries/own-lists';

/** `status_id` of members who may manage their uploads. */
export const MANAGES = 6;
/** Codes of `video_edit.php`. */
export const ACTS = { delete: '2', private: '3', readd: '4' } as const;

const ACTIVE = 1;
/** The state of uploads that are not shown, by `status_id`. */
const HIDDEN = { 2: 'waiting', 3: 'processing', 4: 'rejected', 5: 'deleted' } as const;

export type UploadState = (typeof HIDDEN)[keyof typeof HIDDEN] | 'isPrivate' | 'isPublic';

/** The deleted state takes precedence over private. */
export function stateOf({
  status_id = ACTIVE,
  is_private = false,
}: Pick<OwnVideo, 'status_id' | 'is_private'>): UploadState {
  if (status_id in HIDDEN) return HIDDEN[status_id as keyof typeof HIDDEN];
  return is_private ? 'isPrivate' : 'isPublic';
}

/** Parses a whole number of days. Returns `null` for anything else, and for numbers above the server's maximum. */
export function daysOf(text: string): number | null {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= limits().readd_days[1] ? days : null;
}
