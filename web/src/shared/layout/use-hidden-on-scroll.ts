import { useEffect, useState } from 'react';

/** How far, in pixels, the page must be scrolled before the header may hide. */
const THRESHOLD_PX = 60;

/** Returns true while the visitor scrolls down past the threshold. Scrolling up brings the header back. */
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
    return () => removeEventListener('scroll', moved);
  }, [enabled]);
  return enabled && hidden;
}
