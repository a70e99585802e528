/** The states of uploaded videos, and the actions available in each state. This module is pure. */
import { UPLOAD_STATUS } from '@/api/status';
import { limits } from '@/lib/limits';
import type { OwnVideo } from '@/shared/queries/own-lists';

/** Codes of `video_edit.php`. */
export const ACTS = { delete: '2', private: '3', readd: '4' } as const;

/** The states of uploads that are not shown. */
const HIDDEN = {
  [UPLOAD_STATUS.inReview]: 'waiting',
  [UPLOAD_STATUS.draft]: 'processing',
  [UPLOAD_STATUS.rejected]: 'rejected',
  [UPLOAD_STATUS.deleted]: 'deleted',
  [UPLOAD_STATUS.scheduled]: 'scheduled',
} as const;

export type UploadState = (typeof HIDDEN)[keyof typeof HIDDEN] | 'isPrivate' | 'isPublic';

/** The deleted state takes precedence over private. */
export function stateOf({
  status_id = UPLOAD_STATUS.published,
  is_private = false,
}: Pick<OwnVideo, 'status_id' | 'is_private'>): UploadState {
  if (status_id !== UPLOAD_STATUS.published) return HIDDEN[status_id];
  return is_private ? 'isPrivate' : 'isPublic';
}

/** Parses a whole number of days. Returns `null` for anything else, and for numbers above the server's maximum. */
export function daysOf(text: string): number | null {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= limits().readd_days[1] ? days : null;
}
