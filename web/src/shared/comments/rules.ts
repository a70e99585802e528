/** What a comment must be, and when the next may be sent. Pure. */
import { limits } from '@/lib/limits';
import { textProblem, type Problem } from '@/ui/form/checks';

export const commentProblem = (text: string): Problem =>
  textProblem(text, limits().comment, 'comment_min_length');

/** Whole seconds from `now` until `until`, both in milliseconds; never negative. */
export const secondsLeft = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));

/** `9:05`, as a clock that runs down shows it. */
export const countdown = (seconds: number): string =>
  `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
