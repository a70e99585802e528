import { useEffect, useState } from 'react';

/** Returns the whole seconds from `now` until `wait` seconds after `since`. `now` and `since` are in milliseconds. */
export const secondsLeft = (since: number, wait: number, now: number): number =>
  Math.max(0, Math.ceil((since + wait * 1000 - now) / 1000));

/** Updating twice a second looks like once per second, and a suspended tab catches up at once. */
const TICK_MS = 500;

export function useSecondsLeft(since: number, wait: number): number {
  const [left, setLeft] = useState(() => secondsLeft(since, wait, Date.now()));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setLeft(secondsLeft(since, wait, Date.now())), TICK_MS);
    return () => clearInterval(timer);
  }, [since, wait, isOver]);
  return left;
}
