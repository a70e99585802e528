/** Computes a histogram's bars. This module is pure. */
import type { Spread } from '@/search/response';
import type { Bounds } from '@/search/model-listing';

export interface Bar {
  from: number;
  /** The upper end, which is inclusive. */
  to: number;
  total: number;
}

/** More bars would be thinner than a gap in the narrowest rail. */
const MAX_BARS = 24;

/** Returns bars of equal width, from the smallest value to the largest. */
export function barsOf(spread: Spread, { min, max }: Bounds): Bar[] {
  const width = Math.ceil((max - min + 1) / MAX_BARS);
  const bars = Array.from({ length: Math.ceil((max - min + 1) / width) }, (_, index): Bar => {
    const from = min + index * width;
    return { from, to: Math.min(max, from + width - 1), total: 0 };
  });
  for (const [value, total] of spread) {
    const bar = bars[Math.floor((value - min) / width)];
    if (bar) bar.total += total;
  }
  return bars;
}
