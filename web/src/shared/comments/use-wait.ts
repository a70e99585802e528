/** How long until the member may write again. Kept for the visit: the wait goes on on another page. */
import { useEffect, useState } from 'react';
import { createStore } from '@/lib/store';
import { secondsLeft } from './rules';

const until = createStore(0);

/** `seconds` as the server says them. */
export function startWait(seconds: number): void {
  until.write(Date.now() + seconds * 1000);
}

/** Whole seconds left, 0 where nobody waits. */
export function useWait(): number {
  const end = until.useValue();
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
