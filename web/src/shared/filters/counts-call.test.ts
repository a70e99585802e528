import { describe, expect, it } from 'vitest';
import { emptyVideoState } from '@/search/listing';
import type { SearchContext } from '@/search/request';
import { toCountsCall } from './counts-call';

const context = (scope: SearchContext['scope']): SearchContext => ({
  scope,
  country: 'DE',
  gender: 'str',
  lang: 'ja',
});
const browse = context({ kind: 'browse' });
const search = context({ kind: 'search' });

describe('the counts of filter options', () => {
  it('are requested for the list, whatever its page and language', () => {
    const state = {
      ...emptyVideoState(),
      categories: ['b', 'a'],
      models: ['c'],
      page: 4,
      type: 'hd' as const,
    };
    expect(toCountsCall(state, browse)).toBe(
      '/api/json/video_counts/3600/str/latest-updates/60/categories.b,a.1.hd.all.all.json?models=c',
    );
  });
  it('are requested for a search with all its filters', () => {
    const state = { ...emptyVideoState(), query: 'night', not_categories: ['a'] };
    const query = new URLSearchParams(toCountsCall(state, search)?.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({
      params: '86400/str/relevance/60/search..1.all.all.all',
      s: 'night',
      lang: 'ja',
      not_categories: 'a',
    });
    expect(toCountsCall(emptyVideoState(), search)).toBeNull();
  });
});
