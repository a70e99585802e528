// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, memo } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startI18n } from '@/i18n';
import { until } from '@/lib/until';
import { VisitorProvider } from '@/lib/visitor';
import { parseListing, type Listing } from './codec';
import { ListingTree } from './listing-tree';
import { useVideoListing, VideoListingProvider } from './video-listing';

let root: Root;
let client: QueryClient;
let seen: ReturnType<typeof useVideoListing>[];

const Probe = memo(function Probe() {
  seen.push(useVideoListing());
  return null;
});

type Videos = Extract<Listing, { list: 'videos' }>;

/** As in the app, each change of address creates all objects again. */
const draw = () => {
  const listing = parseListing('/videos/most-popular/1/', '') as Videos;
  act(() => {
    root.render(
      <QueryClientProvider client={client}>
        <VisitorProvider lang="en" country="US">
          <ListingTree listing={listing}>
            <VideoListingProvider scope={listing.scope}>
              <Probe />
            </VideoListingProvider>
          </ListingTree>
        </VisitorProvider>
      </QueryClientProvider>,
    );
  });
};

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('fetch', () =>
    Promise.resolve(
      Response.json({
        videos: [],
        total_count: 0,
        pages: 0,
        facets: {},
        categories: [],
        models: [],
      }),
    ),
  );
  history.replaceState(null, '', '/videos/most-popular/1/');
  seen = [];
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await startI18n('en');
  root = createRoot(document.body.appendChild(document.createElement('div')));
});
afterEach(() => {
  act(() => {
    root.unmount();
  });
  vi.unstubAllGlobals();
});

it('doesn’t re-render consumers of the same list', async () => {
  draw();
  await until(() => {
    expect(seen.at(-1)?.results.hits).toEqual([]);
  });
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)));
  const before = seen.length;
  draw();
  draw();
  expect(seen.length).toBe(before);
  act(() => {
    seen.at(-1)?.set({ page: 2 });
  });
  await until(() => {
    expect(seen.at(-1)?.state.page).toBe(2);
  });
});
