import { useEffect, useState } from 'react';

/** Whole seconds from `now` until `wait` seconds after `since` (both milliseconds) have passed. */
export const secondsLeft = (since: number, wait: number, now: number): number =>
  Math.max(0, Math.ceil((since + wait * 1000 - now) / 1000));

/** Twice a second looks like once per second; a suspended tab catches up at once. */
const TICK_MS = 500;

export function useSecondsLeft(since: number, wait: number): number {
  const [left, setLeft] = useState(() => secondsLeft(since, wait, Date.now()));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => {
      setLeft(secondsLeft(since, wait, Date.now()));
    }, TICK_MS);
    return () => {
      clearInterval(timer);
    };
  }, [since, wait, isOver]);
  return left;
}
