// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { parseListing } from '@/search/codec';
import { ListingTree } from '@/search/listing-tree';
import { VideoListingProvider } from '@/search/video-listing';
import { Spoken } from './spoken';

const LIST = { total_count: 0, pages: 0, categories: [], models: [], query_id: '', videos: [] };
const FOUND = {
  video: { video_id: 7, dir: 'pier', title: 'An evening', title_lang: 'en', thumb: '/7.webp' },
  line: { start: 192, time: '3:12', text: 'Tea &amp; <mark>lanterns</mark>', lang: 'de' },
};

/** Renders the block at an address, and returns the calls made. */
async function open(address: string, answer: () => Response): Promise<string[]> {
  const calls: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    calls.push(url);
    return Promise.resolve(url.startsWith('/api/spoken.php') ? answer() : Response.json(LIST));
  });
  history.replaceState(null, '', address);
  const listing = parseListing(location.pathname, location.search);
  if (listing?.list !== 'videos') throw new Error('no list');
  await render(
    <ListingTree listing={listing}>
      <VideoListingProvider scope={listing.scope}>
        <Spoken className="pt-8" />
      </VideoListingProvider>
    </ListingTree>,
    queryClient,
  );
  return calls;
}

const spoken = (calls: string[]) => calls.filter((url) => url.startsWith('/api/spoken.php'));
const block = () => document.querySelector('section');

afterEach(() => queryClient.clear());

it('shows the line, and opens the video at its second', async () => {
  const calls = await open('/search/1/?s=lantern', () => Response.json({ videos: [FOUND] }));
  await until(() => expect(block()).not.toBeNull());
  expect(spoken(calls)).toEqual([
    expect.stringMatching(/^\/api\/spoken\.php\?.*relevance.*&s=lantern&lang=en$/),
  ]);
  expect(block()?.querySelector('h3')?.textContent).toBe('Spoken in videos');
  expect(block()?.querySelector('a')?.getAttribute('href')).toBe('/videos/7/pier/?start_time=192');
  const line = block()?.querySelector('p');
  expect(line?.textContent).toBe('3:12 Tea & lanterns');
  expect(line?.querySelector('mark')?.textContent).toBe('lanterns');
  expect(line?.querySelector('[lang]')?.getAttribute('lang')).toBe('de');
});

it('is hidden if nothing is found or the call fails', async () => {
  const calls = await open('/search/1/?s=lantern', () => Response.json({ videos: [] }));
  await until(() => expect(spoken(calls)).toHaveLength(1));
  expect(block()).toBeNull();
  const others = await open('/search/1/?s=harbour', () =>
    Response.json({ code: 'not_found' }, { status: 404 }),
  );
  await until(() => expect(spoken(others)).toHaveLength(1));
  expect(block()).toBeNull();
});

it.each(['/search/2/?s=lantern', '/search/1/?s=-lantern', '/videos/most-popular/1/'])(
  'asks for nothing at %s',
  async (address) => {
    const calls = await open(address, () => Response.json({ videos: [FOUND] }));
    await until(() => expect(calls.length).toBeGreaterThan(0));
    expect(spoken(calls)).toEqual([]);
    expect(block()).toBeNull();
  },
);
