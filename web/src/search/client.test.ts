import { describe, expect, it, vi } from 'vitest';
import type { VideosAnswer } from '@/api/types';
import { ApiError } from '@/lib/http';
import { createSearchClient } from './client';
import { emptyVideoState } from './listing';
import type { SearchContext } from './request';

const context: SearchContext = {
  scope: { kind: 'browse' },
  country: 'DE',
  gender: 'str',
  lang: 'en',
};
const answer = (total: number): VideosAnswer => ({
  videos: [],
  total_count: total,
  pages: Math.ceil(total / 60),
  categories: [{ dir: 'dance', title: 'Dance', total_videos: 7 }],
  models: [{ dir: 'yui-sato-2', title: 'Yui Sato', detail: 'Japan, 27', total_videos: 3 }],
});
const page = (number: number) => [{ indexName: 'videos', params: { page: number } }];

describe('search', () => {
  it('turns a response into results with counts and labels', async () => {
    const client = createSearchClient(context, () => Promise.resolve(answer(130)));
    const { results } = await client.search(page(1));
    expect(results[0]).toMatchObject({
      nbHits: 130,
      nbPages: 3,
      page: 1,
      facets: { categories: { dance: 7 }, models: { 'yui-sato-2': 3 } },
      labels: { categories: { dance: 'Dance' }, models: { 'yui-sato-2': 'Yui Sato' } },
      details: { models: { 'yui-sato-2': 'Japan, 27' } },
    });
  });

  it('makes one request for all requests of one state', async () => {
    const get = vi.fn(() => Promise.resolve(answer(1)));
    const { results } = await createSearchClient(context, get).search([...page(0), ...page(0)]);
    expect(results).toHaveLength(2);
    expect(get).toHaveBeenCalledOnce();
  });

  it('drops a late response for the newest', async () => {
    const waiting: ((value: VideosAnswer) => void)[] = [];
    const get = () => new Promise<VideosAnswer>((resolve) => waiting.push(resolve));
    const client = createSearchClient(context, get);
    const first = client.search(page(0));
    const second = client.search(page(1));
    waiting[0]?.(answer(1));
    waiting[1]?.(answer(2));
    expect((await first).results[0]?.nbHits).toBe(2);
    expect((await second).results[0]?.nbHits).toBe(2);
  });

  it('ignores the failure of an outdated request, reports that of the newest', async () => {
    let calls = 0;
    const client = createSearchClient(context, () => {
      calls += 1;
      return calls === 1 ? Promise.reject(new Error('late')) : Promise.resolve(answer(5));
    });
    const first = client.search(page(0));
    const second = client.search(page(1));
    expect((await first).results[0]?.nbHits).toBe(5);
    expect((await second).results[0]?.nbHits).toBe(5);
    const failing = createSearchClient(context, () => Promise.reject(new Error('now')));
    const [failed] = (await failing.search(page(0))).results;
    expect(failed?.failure).toEqual(new Error('now'));
  });

  it('shows what doesn’t exist as an empty list', async () => {
    const client = createSearchClient(context, () =>
      Promise.reject(new ApiError(404, { code: 'model_not_found' })),
    );
    expect((await client.search(page(0))).results[0]).toMatchObject({ nbHits: 0, hits: [] });
  });

  it('reports no failure once its tree is unmounted', async () => {
    const client = createSearchClient(context, () =>
      Promise.reject(new ApiError(503, { code: 'busy' })),
    );
    client.setWatched(false);
    expect((await client.search(page(0))).results[0]?.nbHits).toBe(0);
    client.setWatched(true);
    expect((await client.search(page(0))).results[0]?.failure).toMatchObject({ code: 'busy' });
  });

  it('keeps the filter options if the list can’t be loaded', async () => {
    let isDown = false;
    const client = createSearchClient(context, () =>
      isDown ? Promise.reject(new Error('down')) : Promise.resolve(answer(130)),
    );
    await client.search(page(0));
    isDown = true;
    expect((await client.search(page(1))).results[0]).toMatchObject({
      nbHits: 0,
      facets: { categories: { dance: 7 } },
      failure: new Error('down'),
    });
  });

  it('prefetches a page of the current list', async () => {
    const get = vi.fn((_url: string) => Promise.resolve(answer(200)));
    const client = createSearchClient(context, get);
    await client.search(page(0));
    client.prefetch(2);
    expect(get.mock.calls[1]?.[0]).toContain('/all..2.all.all.all.json');
  });

  it('has the result of a cached list and of no other', async () => {
    const here = answer(130);
    const get = () => Promise.resolve(here);
    const known = (url: string) => (url.includes('/all..2.') ? here : undefined);
    const client = createSearchClient(context, get, known);
    const first = (number: number) => {
      const state = { ...emptyVideoState(), page: number };
      return client.first({ list: 'videos', scope: context.scope, state });
    };
    expect(first(1)).toBeNull();
    expect(first(2)).toMatchObject({ nbHits: 130, page: 1 });
    const { results } = await client.search(page(1));
    expect(results[0]?.hits).toBe(first(2)?.hits);
  });

  it('gives every facet its own values, whichever was searched last', async () => {
    const get = (url: string) => {
      const value = new URLSearchParams(url.split('?')[1]).get('facet') ?? '';
      return Promise.resolve({ facets: [{ value, label: value, total: 1 }] });
    };
    const client = createSearchClient(context, get);
    const found = (['categories', 'models'] as const).map((facetName) =>
      client.searchForFacetValues([{ params: { facetName, facetQuery: 'x' } }]),
    );
    const values = (await Promise.all(found)).map(([of]) => of?.facetHits[0]?.value);
    expect(values).toEqual(['categories', 'models']);
  });

  it('searches facets with titles', async () => {
    const get = () => Promise.resolve({ facets: [{ value: 'dance', label: 'Tanz', total: 3 }] });
    const client = createSearchClient(context, get);
    const [found] = await client.searchForFacetValues([
      { params: { facetName: 'categories', facetQuery: 'ta' } },
    ]);
    expect(found?.facetHits[0]).toMatchObject({ value: 'dance', title: 'Tanz', count: 3 });
  });
});
