/** Which picture an address names, and where keys and fingers lead from one. Pure. */

/** Part of the address that names an open picture; numbers begin with 1. */
export const hashOf = (index: number): string => `#photo-${String(index + 1)}`;

/** The picture that the address names (from 0), if there is one. */
export function placeIn(hash: string, count: number): number | null {
  const number = Number(/^#photo-([1-9]\d{0,5})$/.exec(hash)?.[1]);
  return number >= 1 && number <= count ? number - 1 : null;
}

/** Where a key leads from `at`; null where it leads nowhere. */
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

/** Less is a trembling hand. */
const LEAST = 40;

/** How many pictures further a finger's way means: it has to go sideways, and far enough. */
export function swiped(x: number, y: number): -1 | 0 | 1 {
  if (Math.abs(x) < LEAST || Math.abs(x) < Math.abs(y)) return 0;
  return x < 0 ? 1 : -1;
}
