import { expect, it } from 'vitest';
import { secondsLeft } from './use-seconds-left';

it('counts down to zero and never requests before the time is up', () => {
  const at = (now: number) => secondsLeft(5000, 10, now);
  expect([5000, 5001, 6000, 14_999, 15_000, 99_000].map(at)).toEqual([10, 10, 9, 1, 0, 0]);
});
