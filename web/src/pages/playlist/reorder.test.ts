import { describe, expect, it } from 'vitest';
import { moved, rowAt } from './reorder';

describe('moving', () => {
  it.each([
    [0, 2, 'bca'],
    [2, 0, 'cab'],
    [1, 1, 'abc'],
    [0, 3, 'abc'],
    [0, -1, 'abc'],
    [3, 0, 'abc'],
  ])('%i to %i: %s', (from, to, result) => {
    expect(moved(['a', 'b', 'c'], from, to).join('')).toBe(result);
  });
});

it('finds the row something is dragged over', () => {
  const rows = [0, 100, 200].map((top) => ({ top, height: 100 }));
  expect([-50, 40, 110, 199, 240, 900].map((y) => rowAt(rows, y))).toEqual([0, 0, 1, 1, 2, 2]);
});
