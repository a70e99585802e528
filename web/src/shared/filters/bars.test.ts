import { describe, expect, it } from 'vitest';
import { barsOf } from './bars';

describe('bars', () => {
  it('are one per value if there are few', () => {
    const bars = barsOf(
      [
        [18, 2],
        [20, 5],
      ],
      { min: 18, max: 20 },
    );
    expect(bars).toEqual([
      { from: 18, to: 18, total: 2 },
      { from: 19, to: 19, total: 0 },
      { from: 20, to: 20, total: 5 },
    ]);
  });
  it('cover several values each if there are many, without gaps', () => {
    const values = Array.from({ length: 70 }, (_, index): [number, number] => [140 + index, 1]);
    const bars = barsOf(values, { min: 140, max: 209 });
    expect(bars.length).toBeLessThanOrEqual(24);
    expect(bars[0]).toEqual({ from: 140, to: 142, total: 3 });
    expect(bars.at(-1)).toEqual({ from: 209, to: 209, total: 1 });
    expect(bars.reduce((sum, { total }) => sum + total, 0)).toBe(70);
  });
  it('leave out values outside the bounds', () => {
    expect(
      barsOf(
        [
          [17, 9],
          [30, 9],
        ],
        { min: 18, max: 19 },
      ).map(({ total }) => total),
    ).toEqual([0, 0]);
  });
});
