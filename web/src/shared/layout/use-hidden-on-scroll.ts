import { useEffect, useState } from 'react';

/** Scroll offset from which the header may hide, in pixels. */
const THRESHOLD_PX = 60;

/** True while scrolling down past the threshold; scrolling up brings the header back. */
export function useHiddenOnScroll(enabled: boolean): boolean {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    if (!enabled) return;
    let last = scrollY;
    const moved = () => {
      if (Math.abs(scrollY - last) < 4) return; // ignore the jitter of a resting finger
      setHidden(scrollY > last && scrollY > THRESHOLD_PX);
      last = scrollY;
    };
    addEventListener('scroll', moved, { passive: true });
    return () => {
      removeEventListener('scroll', moved);
    };
  }, [enabled]);
  return enabled && hidden;
}
