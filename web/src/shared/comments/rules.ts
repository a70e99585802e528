/** What a comment must be (SPEC section 5), and when the next may be sent. Pure. */
import { lengthOf } from '@/shared/actions/playlist-rules';

export const COMMENT = { min: 5, max: 1500 } as const;

export interface CommentFault {
  code: 'required' | 'comment_min_length' | 'max_length';
  bound?: number;
}

export function commentWrong(text: string): CommentFault | null {
  const length = lengthOf(text);
  if (length === 0) return { code: 'required' };
  if (length < COMMENT.min) return { code: 'comment_min_length', bound: COMMENT.min };
  return length > COMMENT.max ? { code: 'max_length', bound: COMMENT.max } : null;
}

/** Whole seconds from `now` until `until`, both in milliseconds; never negative. */
export const secondsLeft = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));

/** `9:05`, as a clock that runs down shows it. */
export const countdown = (seconds: number): string =>
  `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
