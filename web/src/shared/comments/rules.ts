/** Validates comments, and computes the wait until the next one. This module is pure. */
import { limits } from '@/lib/limits';
import { textProblem, type Problem } from '@/ui/form/checks';

export const commentProblem = (text: string): Problem =>
  textProblem(text, limits().comment, 'comment_min_length');

/** Returns the whole seconds from `now` until `until`, which are both in milliseconds. The result is never negative. */
export const secondsLeft = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));

/** Formats a countdown, e.g. `9:05`. */
export const countdown = (seconds: number): string =>
  `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
