// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startI18n } from '@/i18n';
import { VisitorProvider } from '@/lib/visitor';
import { Pagination } from './pagination';

let root: Root;

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await startI18n('en');
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
});

/** Returns the target of the previous-page link, if there is one. Returns null without pagination. */
const before = (page: number, pages: number) => {
  act(() => {
    root.render(
      <VisitorProvider lang="en" country="US">
        <Pagination
          page={page}
          pages={pages}
          href={(target) => `/videos/longest/${String(target)}/`}
        />
      </VisitorProvider>,
    );
  });
  if (!document.querySelector('nav')) return null;
  return document.querySelector('a[aria-label="Previous page"]')?.getAttribute('href') ?? '';
};

it('leads back to the last page from beyond the end', () => {
  expect(before(9999, 5)).toBe('/videos/longest/5/');
  expect(before(6, 5)).toBe('/videos/longest/5/');
  expect(before(9999, 1)).toBe('/videos/longest/1/');
  expect(before(3, 5)).toBe('/videos/longest/2/');
  expect(before(1, 5)).toBe('');
});

it('is hidden if there is only one page', () => {
  expect(before(1, 1)).toBeNull();
  expect(before(1, 0)).toBeNull();
  expect(before(9999, 0)).toBeNull();
});
