/** Converts listings to URLs and back. This module is pure, so that round trips can be tested. */
import { MODEL_FILTERS, NAMES } from '../../generated/vocabulary';
import {
  DEFAULT_MODEL_SORT,
  SEARCH_SORTS,
  VIDEO_SORTS,
  chosenIn,
  defaultSort,
  emptyVideoState,
  isRangeFilter,
  readChoices,
  readNames,
  type ModelSort,
  type ModelState,
  type Scope,
  type VideoState,
} from './listing';
import { limits } from '@/lib/limits';
import { oneOf } from '@/lib/one-of';
import { lookUp, type ScreenMatch } from './addresses';

export type Listing =
  { list: 'videos'; scope: Scope; state: VideoState } | { list: 'models'; state: ModelState };

const COUNTRY = /^[A-Z]{2}$/;
/** A range in the form `min.max`, one end of which may be open. */
const RANGE = /^(?=.*\d)\d{0,3}\.\d{0,3}$/;

const dirs = (list: string): string[] =>
  [...new Set(list.split(',').filter(Boolean))].slice(0, limits().names);

const filtersOf = (query: URLSearchParams): Partial<VideoState> => ({
  ...readNames((name) => dirs(query.get(name) ?? '')),
  ...readChoices((name) => query.get(name)),
});

const sortOf = (query: URLSearchParams, scope: Scope): VideoState['sort'] => {
  const sort = query.get('sort');
  const known = scope.kind === 'search' ? SEARCH_SORTS : VIDEO_SORTS;
  return sort === defaultSort(scope) ? null : oneOf(known, sort, null);
};

const videos = (
  scope: Scope,
  page: string,
  query: URLSearchParams,
  state: Partial<VideoState> = {},
): Listing => ({
  list: 'videos',
  scope,
  state: { ...emptyVideoState(), ...filtersOf(query), page: Number(page), ...state },
});

function models(sort: ModelSort, page: string, query: URLSearchParams): Listing {
  const filters: ModelState['filters'] = {};
  for (const name of MODEL_FILTERS) {
    const value = query.get(name);
    if (!value || (isRangeFilter(name) && !RANGE.test(value))) continue;
    filters[name] = value;
  }
  return {
    list: 'models',
    state: { sort: sort === DEFAULT_MODEL_SORT ? null : sort, page: Number(page), filters },
  };
}

/** Returns a screen's listing, or null if it has none or has more categories than can be combined. */
export function listingOf({ screen, places }: ScreenMatch, search: string): Listing | null {
  const query = new URLSearchParams(search);
  switch (screen) {
    case 'videos':
      return videos({ kind: 'browse' }, places.page, query, {
        categories: [],
        sort: explicit(places.video_sort),
      });
    case 'category': {
      if (places.dirs.split(',').length > limits().names) return null;
      const sort = explicit(places.video_sort);
      return videos({ kind: 'browse' }, places.page, query, {
        categories: dirs(places.dirs),
        sort,
      });
    }
    case 'search': {
      const scope: Scope = { kind: 'search' };
      return videos(scope, places.page, query, {
        query: query.get('s') ?? '',
        sort: sortOf(query, scope),
      });
    }
    case 'country': {
      const country = query.get('country');
      const known = country && COUNTRY.test(country) ? country : null;
      return videos({ kind: 'country', country: known }, places.page, query);
    }
    case 'model': {
      const scope: Scope = { kind: 'model', dir: places.dir };
      // A model's own page is page 1 of the model's latest videos, whatever the parameters are.
      if (!('page' in places)) return { list: 'videos', scope, state: emptyVideoState() };
      return videos(scope, places.page, query, { sort: sortOf(query, scope) });
    }
    case 'models':
      return models(places.model_sort, places.page, query);
    default:
      return null;
  }
}

/** Parses the listing in a URL. Returns null if there is none. */
export function parseListing(pathname: string, search: string): Listing | null {
  const found = lookUp(pathname, search);
  return found && 'screen' in found ? listingOf(found, search) : null;
}

const explicit = (sort: VideoState['sort']): VideoState['sort'] =>
  sort === 'latest-updates' ? null : sort;

const withQuery = (path: string, pairs: [string, string | null | undefined][]): string => {
  const query = new URLSearchParams();
  for (const [name, value] of pairs) if (value) query.set(name, value);
  const text = query.toString();
  // Commas are legal in a query and keep `categories=a,b` readable.
  return text ? `${path}?${text.replaceAll('%2C', ',')}` : path;
};

function formatVideos(scope: Scope, state: VideoState): string {
  const page = String(state.page);
  const filters: [string, string][] = [
    // In category lists, the path contains the categories.
    ...NAMES.filter(({ name }) => name !== 'categories' || scope.kind !== 'browse').map(
      ({ name }): [string, string] => [name, state[name].join(',')],
    ),
    ...chosenIn(state),
  ];
  const list = state.categories.map(encodeURIComponent).join(',');
  switch (scope.kind) {
    case 'search':
      return withQuery(`/search/${page}/`, [['s', state.query], ['sort', state.sort], ...filters]);
    case 'country':
      return withQuery(`/top-country/${page}/`, [['country', scope.country], ...filters]);
    case 'model':
      return withQuery(`/model/${encodeURIComponent(scope.dir)}/videos/${page}/`, [
        ['sort', state.sort],
        ...filters,
      ]);
    case 'browse': {
      const sort = state.sort ?? 'latest-updates';
      const base = list ? `/categories/${list}/${sort}/` : `/videos/${sort}/`;
      return withQuery(`${base}${page}/`, filters);
    }
  }
}

/** Returns a listing's canonical URL, including the trailing slash. */
export function formatListing(listing: Listing): string {
  if (listing.list === 'videos') return formatVideos(listing.scope, listing.state);
  const { sort, page, filters } = listing.state;
  return withQuery(
    `/models/${sort ?? DEFAULT_MODEL_SORT}/${String(page)}/`,
    MODEL_FILTERS.map((name) => [name, filters[name]]),
  );
}
