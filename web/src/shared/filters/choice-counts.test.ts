import { expect, it } from 'vitest';
import { narrows } from './choice-counts';

const counts = (...totals: number[]) => totals.map((total, at) => ({ value: String(at), total }));

it('shows a facet unless all its choices but the first would find nothing', () => {
  expect(narrows(counts(30, 0, 0))).toBe(false);
  expect(narrows(counts(30, 0, 1))).toBe(true);
  expect(narrows(counts(0, 0, 0))).toBe(true);
  expect(narrows(undefined)).toBe(true);
});
