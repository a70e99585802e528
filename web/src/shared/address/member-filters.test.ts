import { expect, it } from 'vitest';
import { filterSegment, readFilters, writeFilters } from './member-filters';

it('reads valid filters in the API’s order', () => {
  const filters = readFilters(
    '?object_id=7&avatar=yes&country=JP&age=20.30&gender=gay&orientation=gay&x=1',
  );
  expect(Object.entries(filters)).toEqual([
    ['country', 'JP'],
    ['age', '20.30'],
    ['avatar', 'yes'],
    ['orientation', 'gay'],
    ['object_id', '7'],
  ]);
  expect(filterSegment(filters)).toBe(
    '-country~JP-age~20.30-avatar~yes-orientation~gay-object_id~7',
  );
  expect(readFilters(writeFilters(filters))).toEqual(filters);
});

it('writes nothing if nothing is chosen', () => {
  expect(writeFilters({})).toBe('');
  expect(filterSegment({})).toBe('');
  expect(readFilters('?object_id=07&avatar=maybe')).toEqual({});
});
