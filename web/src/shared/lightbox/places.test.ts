import { expect, it } from 'vitest';
import { hashOf, placeAfter, placeIn, swiped } from './places';

it('finds the picture in an address', () => {
  expect(placeIn(hashOf(0), 3)).toBe(0);
  expect(placeIn(hashOf(2), 3)).toBe(2);
  for (const none of ['', '#photo-0', '#photo-4', '#photo-', '#photo-1x', '#comments']) {
    expect(placeIn(none, 3), none).toBeNull();
  }
});

it('moves by keys and stops at the ends', () => {
  expect(placeAfter('ArrowRight', 0, 3)).toBe(1);
  expect(placeAfter('ArrowRight', 2, 3)).toBeNull();
  expect(placeAfter('ArrowLeft', 2, 3)).toBe(1);
  expect(placeAfter('ArrowLeft', 0, 3)).toBeNull();
  expect(placeAfter('Home', 2, 3)).toBe(0);
  expect(placeAfter('End', 0, 3)).toBe(2);
  expect(placeAfter('End', 2, 3)).toBeNull();
  expect(placeAfter('x', 1, 3)).toBeNull();
});

it('accepts only sideways swipes', () => {
  expect(swiped(-80, 10)).toBe(1);
  expect(swiped(80, -10)).toBe(-1);
  expect(swiped(-20, 0)).toBe(0);
  expect(swiped(-80, 120)).toBe(0);
});
