import { describe, expect, it } from 'vitest';
import { boxAt, moved, placeBy } from './reorder';

describe('moving', () => {
  it.each([
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 1, 'abc'],
    [0, 3, 'abc'],
    [0, -1, 'abc'],
    [3, 0, 'abc'],
  ])('%i to %i: %s', (from, to, result) =>
    expect(moved(['a', 'b', 'c'], from, to).join('')).toBe(result),
  );
});

describe('the target of a drag', () => {
  it('in a list', () => {
    const rows = [0, 100, 200].map((top) => ({ left: 0, top, width: 400, height: 100 }));
    expect([-50, 40, 110, 199, 240, 900].map((y) => boxAt(rows, 15, y))).toEqual([
      0, 0, 1, 1, 2, 2,
    ]);
  });
  it('in a grid', () => {
    const tiles = [0, 1, 2, 3].map((at) => ({
      left: 100 * (at % 2),
      top: 100 * Math.floor(at / 2),
      width: 100,
      height: 100,
    }));
    expect(boxAt(tiles, 90, 90)).toBe(0);
    expect(boxAt(tiles, 110, 90)).toBe(1);
    expect(boxAt(tiles, 90, 110)).toBe(2);
    expect(boxAt(tiles, 900, 900)).toBe(3);
  });
});

it('moves by keys within the list', () => {
  const by = (key: string, at: number) => placeBy(key, at, 7, 3);
  expect(by('ArrowRight', 2)).toBe(3);
  expect(by('ArrowLeft', 3)).toBe(2);
  expect(by('ArrowDown', 1)).toBe(4);
  expect(by('ArrowUp', 4)).toBe(1);
  expect(by('Home', 4)).toBe(0);
  expect(by('End', 4)).toBe(6);
  expect([by('ArrowLeft', 0), by('ArrowRight', 6), by('ArrowUp', 2), by('ArrowDown', 5)]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect([by('Home', 0), by('Tab', 3), by('a', 3)]).toEqual([null, null, null]);
});
