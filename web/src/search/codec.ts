/** The URL of every listing, both ways. Pure, so that it can be round-trip tested. */
import {
  DATES,
  DEFAULT_MODEL_SORT,
  DURATIONS,
  MAX_CATEGORIES,
  MODEL_FILTERS,
  MODEL_SORTS,
  SEARCH_SORTS,
  TYPES,
  VIDEO_SORTS,
  defaultSort,
  isRangeFilter,
  type ModelState,
  type Scope,
  type VideoState,
} from './listing';
import { isOneOf } from '@/lib/one-of';

export type Listing =
  { list: 'videos'; scope: Scope; state: VideoState } | { list: 'models'; state: ModelState };

const COUNTRY = /^[A-Z]{2}$/;
/** `min.max`; one end may be open. */
const RANGE = /^(?=.*\d)\d{0,3}\.\d{0,3}$/;

/** A page number of a path: a positive integer without leading zeros, else null. */
export const parsePage = (segment: string | undefined): number | null =>
  segment !== undefined && /^[1-9]\d{0,6}$/.test(segment) ? Number(segment) : null;

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a stray % is taken literally
  }
};

export const segmentsOf = (pathname: string): string[] =>
  pathname.split('/').filter(Boolean).map(decode);

const dirs = (list: string): string[] =>
  [...new Set(list.split(',').filter(Boolean))].slice(0, MAX_CATEGORIES);

const choice = <T extends string>(list: readonly T[], value: string | null, other: T): T =>
  isOneOf(list, value) ? value : other;

const filtersOf = (query: URLSearchParams): Pick<VideoState, 'type' | 'duration' | 'date'> => ({
  type: choice(TYPES, query.get('type'), 'all'),
  duration: choice(DURATIONS, query.get('duration'), 'all'),
  date: choice(DATES, query.get('date'), 'all'),
});

const sortOf = (query: URLSearchParams, scope: Scope): VideoState['sort'] => {
  const sort = query.get('sort');
  const known = scope.kind === 'search' ? SEARCH_SORTS : VIDEO_SORTS;
  return isOneOf(known, sort) && sort !== defaultSort(scope) ? sort : null;
};

const videos = (scope: Scope, state: Partial<VideoState>, query: URLSearchParams): Listing => ({
  list: 'videos',
  scope,
  state: {
    query: '',
    categories: [],
    not_categories: [],
    sort: null,
    page: 1,
    ...filtersOf(query),
    ...state,
  },
});

function parseModels(sort: string, page: number, query: URLSearchParams): Listing | null {
  if (!isOneOf(MODEL_SORTS, sort)) return null;
  const filters: ModelState['filters'] = {};
  for (const name of MODEL_FILTERS) {
    const value = query.get(name);
    if (!value || (isRangeFilter(name) && !RANGE.test(value))) continue;
    filters[name] = value;
  }
  return {
    list: 'models',
    state: { sort: sort === DEFAULT_MODEL_SORT ? null : sort, page, filters },
  };
}

/** The listing a URL names, or null when it names none (the caller shows another page or 404). */
export function parseListing(pathname: string, search: string): Listing | null {
  const [root, ...rest] = segmentsOf(pathname);
  const query = new URLSearchParams(search);
  const page = parsePage(rest.at(-1));
  if (page === null) return null;
  if (root === 'videos' && rest.length === 2) {
    if (!isOneOf(VIDEO_SORTS, rest[0])) return null;
    return videos({ kind: 'browse' }, { sort: explicit(rest[0]), page }, query);
  }
  if (root === 'categories' && rest.length === 3) {
    const named = rest[0] ?? '';
    const categories = dirs(named);
    const many = named.split(',').length > MAX_CATEGORIES;
    if (!isOneOf(VIDEO_SORTS, rest[1]) || categories.length === 0 || many) return null;
    return videos({ kind: 'browse' }, { categories, sort: explicit(rest[1]), page }, query);
  }
  if (root === 'search' && rest.length === 1) {
    const scope: Scope = { kind: 'search' };
    const categories = dirs(query.get('categories') ?? '');
    const not_categories = dirs(query.get('not_categories') ?? '');
    const sort = sortOf(query, scope);
    const text = query.get('s') ?? '';
    return videos(scope, { query: text, categories, not_categories, sort, page }, query);
  }
  if (root === 'top-country' && rest.length === 1) {
    const country = query.get('country');
    return videos(
      { kind: 'country', country: country && COUNTRY.test(country) ? country : null },
      { page },
      query,
    );
  }
  if (root === 'model' && rest.length === 3 && rest[1] === 'videos') {
    const scope: Scope = { kind: 'model', dir: rest[0] ?? '' };
    return videos(scope, { sort: sortOf(query, scope), page }, query);
  }
  if (root === 'models' && rest.length === 2) return parseModels(rest[0] ?? '', page, query);
  return null;
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

const unlessAll = (value: string): string | null => (value === 'all' ? null : value);

function formatVideos(scope: Scope, state: VideoState): string {
  const page = String(state.page);
  const filters: [string, string | null][] = [
    ['type', unlessAll(state.type)],
    ['duration', unlessAll(state.duration)],
    ['date', unlessAll(state.date)],
  ];
  const list = state.categories.map(encodeURIComponent).join(',');
  switch (scope.kind) {
    case 'search':
      return withQuery(`/search/${page}/`, [
        ['s', state.query],
        ['sort', state.sort],
        ['categories', state.categories.join(',')],
        ['not_categories', state.not_categories.join(',')],
        ...filters,
      ]);
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

/** The one canonical URL of a listing, trailing slash included. */
export function formatListing(listing: Listing): string {
  if (listing.list === 'videos') return formatVideos(listing.scope, listing.state);
  const { sort, page, filters } = listing.state;
  return withQuery(
    `/models/${sort ?? DEFAULT_MODEL_SORT}/${String(page)}/`,
    MODEL_FILTERS.map((name) => [name, filters[name]]),
  );
}
