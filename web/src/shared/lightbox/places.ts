/** Finds the picture that an address names, and where keys and swipes lead from it. This module is pure. */

/** Returns the fragment for an open picture. Numbers start at 1. */
export const hashOf = (index: number): string => `#photo-${String(index + 1)}`;

/** Returns the index (from 0) of the picture that the address names, if there is one. */
export function placeIn(hash: string, count: number): number | null {
  const number = Number(/^#photo-([1-9]\d{0,5})$/.exec(hash)?.[1]);
  return number >= 1 && number <= count ? number - 1 : null;
}

/** Returns where a key leads from `at`, or null if it leads nowhere. */
export function placeAfter(key: string, at: number, count: number): number | null {
  const places: Partial<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    Home: 0,
    End: count - 1,
  };
  const to = places[key];
  return to === undefined || to === at || to < 0 || to >= count ? null : to;
}

/** The minimum length of a swipe in pixels. Anything less is jitter. */
const MIN_SWIPE_PX = 40;

/** Returns how many pictures a swipe moves. It must be sideways and far enough. */
export function swiped(x: number, y: number): -1 | 0 | 1 {
  if (Math.abs(x) < MIN_SWIPE_PX || Math.abs(x) < Math.abs(y)) return 0;
  return x < 0 ? 1 : -1;
}
