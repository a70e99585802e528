import { startTransition, useEffect, useRef, useState, type RefObject } from 'react';

/** How far below the window something starts to load. */
const AHEAD = '400px';

/** Whether an element has come near the window; from then on it stays so. */
export function useNear(isNear = false): [RefObject<HTMLElement | null>, boolean] {
  const root = useRef<HTMLElement>(null);
  const [near, setNear] = useState(isNear);
  useEffect(() => {
    if (near || !root.current) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        // In slices: it isn't in sight yet, and what is answers to a finger meanwhile.
        startTransition(() => {
          setNear(true);
        });
      },
      { rootMargin: AHEAD },
    );
    watcher.observe(root.current);
    return () => {
      watcher.disconnect();
    };
  }, [near]);
  return [root, near];
}
