// @vitest-environment happy-dom
/** Tests lists on a site whose operator has configured limits other than the defaults. */
import { beforeEach, expect, it, vi } from 'vitest';
import { limits } from '@/lib/limits';

beforeEach(() => {
  // The page's data is read only once per module load.
  vi.resetModules();
});

/** Loads the modules as they would load on a page with these limits. */
async function started(said: Partial<ReturnType<typeof limits>>) {
  const json = JSON.stringify({ limits: { ...limits(), ...said } });
  document.body.innerHTML = `<script id="boot" type="application/json">${json}</script>`;
  const [codec, request, listing, related] = await Promise.all([
    import('./codec'),
    import('./request'),
    import('./listing'),
    import('@/shared/queries/related'),
  ]);
  return { ...codec, ...request, ...listing, ...related };
}

const four = '/categories/a,b,c,d/longest/1/';
const browse = {
  scope: { kind: 'browse' as const },
  country: 'DE',
  gender: 'str' as const,
  lang: 'en' as const,
};

it('accepts a list of as many categories as configured, and requests it', async () => {
  const { parseListing, formatListing, toCall } = await started({ names: 4 });
  const listing = parseListing(four, '');
  expect(listing && formatListing(listing)).toBe(four);
  const facetFilters = ['a', 'b', 'c', 'd'].map((dir) => `categories:${dir}`);
  expect(toCall({ indexName: 'videos/longest', params: { facetFilters } }, browse)).toBe(
    '/api/json/videos2/86400/str/longest/60/categories.a,b,c,d.1.all.all.all.json?lang=en',
  );
  const named = parseListing('/categories/a/longest/1/', '?models=v,w,x,y,z');
  expect(named && formatListing(named)).toBe('/categories/a/longest/1/?models=v,w,x,y');
  expect(parseListing('/categories/a,b,c,d,e/longest/1/', '')).toBeNull();
});

it('rejects more categories, where fewer are configured', async () => {
  const { parseListing } = await started({ names: 1 });
  expect(parseListing('/categories/a/longest/1/', '')).not.toBeNull();
  expect(parseListing('/categories/a,b/longest/1/', '')).toBeNull();
});

it('accepts queries as long as configured', async () => {
  const { isQuery, minQuery } = await started({ search: { min: 4, max: 6 } });
  expect(['sea', 'seas', 'seaside', 'seabed'].map(isQuery)).toEqual([false, true, false, true]);
  expect(['sea', '海', '밤', '🎹'].map(minQuery)).toEqual([4, 1, 1, 1]);
});

it('requests as many related videos as configured', async () => {
  const { relatedQuery } = await started({ related: 8 });
  expect(relatedQuery(12, 1, 'en').queryKey[0]).toContain('/432000/8/0/12.all.1.json');
});
