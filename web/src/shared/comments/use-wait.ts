/** How long until the member may comment again. Kept across pages of the visit. */
import { useEffect, useState } from 'react';
import { createStore } from '@/lib/store';
import { secondsLeft } from './rules';

const until = createStore(0);

/** `seconds` from the server's response. */
export function startWait(seconds: number): void {
  until.write(Date.now() + seconds * 1000);
}

/** Whole seconds left, 0 without a wait. */
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
