// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { parseListing } from '@/search/codec';
import ListingScreen from './listing-screen';

vi.mock('@/shared/cards/video-grid', () => ({
  VideoGrid: ({ videos }: { videos: object[] }) => <output>{videos.length}</output>,
  VideoGridSkeleton: () => null,
}));
vi.mock('@/shared/saved/save-search', () => ({ default: () => null }));

const texts = (selector: string) =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent);

/** Renders a search response that has sixty of all its videos, and additional fields. */
async function search(more: object, total_count = 60) {
  const videos = Array.from({ length: 60 }, (_, at) => ({ video_id: at + 1 }));
  const answer = { videos, total_count, pages: 1, categories: [], models: [], ...more };
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(Response.json(url.startsWith('/api/videos2.php') ? answer : {})),
  );
  history.replaceState(null, '', '/search/1/?s=lantern');
  const listing = parseListing(location.pathname, location.search);
  if (listing?.list !== 'videos') throw new Error('no list');
  await render(<ListingScreen listing={listing} />, queryClient);
  await until(() => expect(texts('output').length).toBeGreaterThan(0));
}

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
});
afterEach(() => queryClient.clear());

it('reports no results and labels popular videos as such', async () => {
  await search({ relaxed: ['popular'], exact_count: 0 });
  expect(texts('h1')).toEqual(['No results for “lantern”']);
  expect(texts('h3')).toEqual(['Most popular']);
  expect(document.body.textContent).not.toContain('60 videos');
});

it('labels results by the words that found them', async () => {
  await search({ relaxed: ['words'], exact_count: 0, shown_for: ['lamp', 'light'] });
  expect(texts('h1')).toEqual(['No results for “lantern”']);
  expect(texts('h3')).toEqual(['“lamp / light”']);
});

it('counts only exact matches if others follow', async () => {
  await search({ relaxed: ['meaning'], exact_count: 2, shown_for: ['lamp'] });
  expect(texts('h1')).toEqual(['“lantern”']);
  expect(texts('[role=status]')[0]).toBe('2 videos');
  expect(texts('output')).toEqual(['2', '58']);
});

it('counts the results', async () => {
  await search({}, 1200);
  expect(texts('h1')).toEqual(['“lantern”']);
  expect(texts('[role=status]')[0]).toBe('1,200 videos');
});
