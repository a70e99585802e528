import { startTransition, useEffect, useRef, useState, type RefObject } from 'react';

/** Distance below the window at which loading starts. */
const AHEAD = '400px';

/** Whether an element has come near the window. Once this is true, it stays true. */
export function useNear(isNear = false): [RefObject<HTMLElement | null>, boolean] {
  const root = useRef<HTMLElement>(null);
  const [near, setNear] = useState(isNear);
  useEffect(() => {
    if (near || !root.current) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        // Renders in slices: the new content isn't visible yet, and what is visible stays responsive.
        startTransition(() => setNear(true));
      },
      { rootMargin: AHEAD },
    );
    watcher.observe(root.current);
    return () => watcher.disconnect();
  }, [near]);
  return [root, near];
}
