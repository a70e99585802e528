/** How long the member must wait before commenting again. The wait is kept across the pages of a visit. */
import { useEffect, useState } from 'react';
import { createStore } from '@/lib/store';
import { secondsLeft } from './rules';

const until = createStore(0);

/** `seconds` is from the server's response. */
export function startWait(seconds: number): void {
  until.write(Date.now() + seconds * 1000);
}

/** Returns the whole seconds left, or 0 if there is no wait. */
export function useWait(): number {
  const end = until.useValue();
  const [now, setNow] = useState(() => Date.now());
  const waiting = end > now;
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    if (!waiting) clearInterval(timer);
    return () => clearInterval(timer);
  }, [waiting]);
  return secondsLeft(end, now);
}
