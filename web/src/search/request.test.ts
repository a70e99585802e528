import { describe, expect, it } from 'vitest';
import { parseListing } from './codec';
import { readRanges, toCall, toFacetCall, toRequest, type SearchContext } from './request';

const context = (scope: SearchContext['scope']): SearchContext => ({
  scope,
  country: 'DE',
  gender: 'str',
  lang: 'ja',
});
const browse = context({ kind: 'browse' });
const search = context({ kind: 'search' });

describe('a listing', () => {
  it('is the cacheable GET', () => {
    expect(toCall({ indexName: 'videos', params: { page: 1 } }, browse)).toBe(
      '/api/json/videos2/3600/str/latest-updates/60/all..2.all.all.all.json?lang=ja',
    );
  });
  it('includes categories, sort and filters', () => {
    const params = {
      facetFilters: ['categories:a', 'categories:b', 'type:hd', 'duration:long', 'date:week'],
    };
    expect(toCall({ indexName: 'videos/top-rated', params }, browse)).toBe(
      '/api/json/videos2/86400/str/top-rated/60/categories.a,b.1.hd.long.week.json?lang=ja',
    );
  });
  it('has the other names in its query', () => {
    const params = {
      facetFilters: ['models:yui', 'not_models:mika', 'categories:a', 'not_categories:b'],
    };
    const list = (scope: SearchContext['scope']) =>
      toCall({ indexName: 'videos', params }, context(scope));
    expect(list({ kind: 'browse' })).toBe(
      '/api/json/videos2/3600/str/latest-updates/60/categories.a.1.all.all.all.json?lang=ja&not_categories=b&models=yui&not_models=mika',
    );
    expect(list({ kind: 'country', country: 'JP' })).toBe(
      '/api/json/videos2/86400/str/most-popular/60/top-country.JP.1.all.all.all.json?lang=ja&categories=a&not_categories=b&models=yui&not_models=mika',
    );
  });
  it('has the spoken language in its query, and only if one is chosen', () => {
    const params = { query: 'sea', facetFilters: ['models:yui', 'spoken:ja'] };
    expect(toCall({ indexName: 'videos', params }, browse)).toBe(
      '/api/json/videos2/3600/str/latest-updates/60/all..1.all.all.all.json?lang=ja&models=yui&spoken=ja',
    );
    const query = toCall({ indexName: 'videos', params }, search)?.split('?')[1];
    expect(new URLSearchParams(query).get('spoken')).toBe('ja');
    for (const value of ['all', 'xx']) {
      const unknown = { facetFilters: [`spoken:${value}`] };
      expect(toCall({ indexName: 'videos', params: unknown }, browse)).not.toContain('spoken');
    }
  });
  it('takes the country of the address, else the visitor’s', () => {
    const none = context({ kind: 'country', country: null });
    expect(toCall({ indexName: 'videos' }, none)).toContain('/most-popular/60/top-country.DE.1.');
    const japan = context({ kind: 'country', country: 'JP' });
    expect(toCall({ indexName: 'videos' }, japan)).toContain('top-country.JP.1.');
  });
  it('keeps hostile values out of the path', () => {
    const model = context({ kind: 'model', dir: '../x?y' });
    expect(toCall({ indexName: 'videos' }, model)).toContain('/model...%2Fx%3Fy.1.');
    const odd = { facetFilters: ['type:../x'] };
    expect(toCall({ indexName: 'videos/evil', params: odd }, browse)).toContain(
      '/latest-updates/60/all..1.all.',
    );
  });
});

describe('the list of an address', () => {
  it.each([
    [
      '/videos/latest-updates/2/',
      '/api/json/videos2/3600/str/latest-updates/60/all..2.all.all.all.json?lang=ja',
    ],
    [
      '/categories/b,a/top-rated/1/?type=hd&duration=long&date=week&models=yui&not_models=mika',
      '/api/json/videos2/86400/str/top-rated/60/categories.b,a.1.hd.long.week.json?lang=ja&models=yui&not_models=mika',
    ],
    [
      '/models/alphabet/3/?tattoo=no&age=20.40',
      '/api/json/models/86400/str/filt-age~20.40-tattoo~no/alphabet/60/3.json?lang=ja',
    ],
  ])('%s is asked for as InstantSearch does', (address, url) => {
    const { pathname, search: query } = new URL(address, 'http://x');
    const listing = parseListing(pathname, query);
    expect(listing && toCall(toRequest(listing), browse)).toBe(url);
  });
});

describe('a query', () => {
  it('is sent to videos2.php with all filters', () => {
    const params = { query: ' 夜景 & x ', facetFilters: [['categories:a'], ['type:hd']] };
    const url = new URL(toCall({ indexName: 'videos', params }, search) ?? '', 'http://x');
    expect(url.pathname).toBe('/api/videos2.php');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      params: '86400/str/relevance/60/search..1.hd.all.all',
      s: '夜景 & x',
      lang: 'ja',
      categories: 'a',
    });
  });
  it('has exclusions after inclusions', () => {
    const params = {
      query: 'x y',
      facetFilters: ['not_categories:b', 'categories:a', 'not_categories:c'],
    };
    const url = new URL(toCall({ indexName: 'videos', params }, search) ?? '', 'http://x');
    expect([...url.searchParams].slice(3)).toEqual([
      ['categories', 'a'],
      ['not_categories', 'b,c'],
    ]);
  });
  it.each(['', 'a', ' a ', 'の', 'x'.repeat(70)])('of bad length asks nothing (%j)', (query) => {
    expect(toCall({ indexName: 'videos', params: { query } }, search)).toBeNull();
  });
  it.each(['ab', '夜景', '雪', ' 雪', 'x'.repeat(69)])('of good length asks (%j)', (query) => {
    expect(toCall({ indexName: 'videos', params: { query } }, search)).not.toBeNull();
  });
});

describe('models', () => {
  it('have filters in the API’s order', () => {
    const params = {
      page: 2,
      facetFilters: [['tattoo:yes'], ['alphabet:#'], ['race:asian']],
      numericFilters: ['age>=25', 'age<=34', 'height>=160'],
    };
    expect(toCall({ indexName: 'models/alphabet', params }, browse)).toBe(
      '/api/json/models/86400/str/filt-alphabet~%23-race~asian-age~25.34-height~160.999-tattoo~yes/alphabet/60/3.json?lang=ja',
    );
  });
  it('have none by default', () => {
    expect(toCall({ indexName: 'models' }, browse)).toBe(
      '/api/json/models/86400/str/filt/most-popular/60/1.json?lang=ja',
    );
  });
  it('ignore invalid ranges', () => {
    expect(readRanges(['age=3', 'age>=x']).size).toBe(0);
  });
});

it('facet search counts within the current filters', () => {
  const params = { facetFilters: ['categories:a', 'models:yui', 'type:hd'] };
  expect(toFacetCall('models', 'mi', browse, { indexName: 'videos', params })).toBe(
    '/api/facets.php?facet=models&q=mi&lang=ja&index=videos&gender=str&categories=a&models=yui',
  );
});

it('facet search is in the visitor’s language', () => {
  expect(toFacetCall('categories', 'ダン', browse)).toBe(
    '/api/facets.php?facet=categories&q=%E3%83%80%E3%83%B3&lang=ja&index=videos&gender=str',
  );
});
