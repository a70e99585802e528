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

const videos = (count: number) => Array.from({ length: count }, (_, at) => ({ video_id: at + 1 }));

interface Search {
  query?: string;
  total?: number;
  /** The number of videos on the results page. */
  shown?: number;
}

/** Renders a search response that has additional fields. */
async function search(more: object, { query = 'lantern', total = 60, shown = 60 }: Search = {}) {
  const list = { videos: videos(shown), total_count: total, pages: 1, categories: [], models: [] };
  const answer = { ...list, ...more };
  const empty = (url: string) => (url.startsWith('/api/spoken.php') ? { videos: [] } : {});
  vi.stubGlobal('fetch', (url: string) =>
    Promise.resolve(Response.json(url.startsWith('/api/videos2.php') ? answer : empty(url))),
  );
  history.replaceState(null, '', `/search/1/?s=${encodeURIComponent(query)}`);
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
  await search({ relaxed: ['popular'] });
  expect(texts('h1')).toEqual(['No results for “lantern”']);
  expect(texts('h3')).toEqual(['Most popular']);
  expect(document.body.textContent).not.toContain('60 videos');
});

it('says that exclusions alone find nothing', async () => {
  await search({ relaxed: ['popular'] }, { query: '-lantern' });
  const notice = texts('[role=status]').join('').trim();
  expect(notice).toBe('A minus only excludes. Add a word to search for.');
  expect(texts('h3')).toEqual(['Most popular']);
});

it('labels results by the words that found them', async () => {
  const query = 'paper lantern';
  await search({ relaxed: ['words'], shown_for: ['paper', 'lantern'] }, { query });
  expect(texts('h1')).toEqual(['No results for “paper lantern”']);
  expect(texts('h3')).toEqual(['“paper / lantern”']);
});

it('shows videos that match fewer words below few results, and does not count them', async () => {
  const partial = { videos: videos(58), shown_for: ['paper', 'lantern'] };
  await search({ partial }, { query: 'paper lantern', total: 2, shown: 2 });
  expect(texts('h1')).toEqual(['“paper lantern”']);
  expect(texts('[role=status]')).toEqual([
    '2 videos',
    'Few results for “paper lantern”. Results for “paper / lantern” follow.',
  ]);
  expect(texts('output')).toEqual(['2', '58']);
  const others = document.querySelector('section[aria-labelledby=partial]');
  expect(others?.querySelector('h3')?.id).toBe('partial');
  expect(others?.querySelector('h3')?.textContent).toBe('“paper / lantern”');
  expect(others?.querySelector('output')?.textContent).toBe('58');
});

it('offers a better known spelling', async () => {
  await search({ did_you_mean: 'lanterns' }, { total: 2, shown: 2 });
  const link = document.querySelector('a[href="/search/1/?s=lanterns"]');
  expect(link?.parentElement?.textContent).toBe('Did you mean: lanterns');
});

it('counts the results', async () => {
  await search({}, { total: 1200 });
  expect(texts('h1')).toEqual(['“lantern”']);
  expect(texts('[role=status]')).toEqual(['1,200 videos']);
});
