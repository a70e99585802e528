/** Validation of comments, and the wait until the next. Pure. */
import { limits } from '@/lib/limits';
import { textProblem, type Problem } from '@/ui/form/checks';

export const commentProblem = (text: string): Problem =>
  textProblem(text, limits().comment, 'comment_min_length');

/** Whole seconds from `now` until `until`, both in milliseconds; never negative. */
export const secondsLeft = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));

/** Formats a countdown like `9:05`. */
export const countdown = (seconds: number): string =>
  `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
