import { expect, it } from 'vitest';
import { pageNumbers, pageWindow } from './pages';

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 20, [1, 2, 3, 4, 5]],
  [3, 20, [1, 2, 3, 4, 5]],
  [10, 20, [8, 9, 10, 11, 12]],
  [20, 20, [16, 17, 18, 19, 20]],
  [99, 20, [16, 17, 18, 19, 20]],
  [1, 0, []],
])('page %i of %i shows %j', (page, pages, shown) => {
  expect(pageWindow(page, pages)).toEqual(shown);
});

it.each([
  [1, 3, [1, 2, 3]],
  [1, 84, [1, 2, 3, 4, 5, 84]],
  [40, 84, [1, 38, 39, 40, 41, 42, 84]],
  [84, 84, [1, 80, 81, 82, 83, 84]],
])('from page %i of %i both ends are a click away: %j', (page, pages, shown) => {
  expect(pageNumbers(page, pages)).toEqual(shown);
});
