/** How long until the member may write again. Kept for the visit: the wait goes on on another page. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { secondsLeft } from './rules';

let until = 0;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** `seconds` as the server says them. */
export function startWait(seconds: number): void {
  until = Date.now() + seconds * 1000;
  for (const listener of listeners) listener();
}

/** Whole seconds left, 0 where nobody waits. */
export function useWait(): number {
  const end = useSyncExternalStore(subscribe, () => until);
  const [now, setNow] = useState(() => Date.now());
  const waiting = end > now;
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    if (!waiting) clearInterval(timer);
    return () => {
      clearInterval(timer);
    };
  }, [waiting]);
  return secondsLeft(end, now);
}
