// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { render } from '@/lib/render';
import { Pagination } from './pagination';

/** Returns the target of the previous-page link, if there is one. Returns null without pagination. */
const before = async (page: number, pages: number) => {
  await render(
    <Pagination
      page={page}
      pages={pages}
      href={(target) => `/videos/longest/${String(target)}/`}
    />,
  );
  if (!document.querySelector('nav')) return null;
  return document.querySelector('a[aria-label="Previous page"]')?.getAttribute('href') ?? '';
};

it('leads back to the last page from beyond the end', async () => {
  expect(await before(9999, 5)).toBe('/videos/longest/5/');
  expect(await before(6, 5)).toBe('/videos/longest/5/');
  expect(await before(9999, 1)).toBe('/videos/longest/1/');
  expect(await before(3, 5)).toBe('/videos/longest/2/');
  expect(await before(1, 5)).toBe('');
});

it('is hidden if there is only one page', async () => {
  expect(await before(1, 1)).toBeNull();
  expect(await before(1, 0)).toBeNull();
  expect(await before(9999, 0)).toBeNull();
});
