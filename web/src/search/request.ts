/** The request half of our search client, which turns an InstantSearch request into one API call. This module is pure. */
import {
  CHOICES,
  MODEL_FILTERS,
  NAMES,
  PAGE_SIZE,
  calls,
  lifetimes,
} from '../../generated/vocabulary';
import {
  DEFAULT_MODEL_SORT,
  MODEL_SORTS,
  SEARCH_SORTS,
  defaultSort,
  isQuery,
  isRangeFilter,
  placed,
  readChoices,
  type ModelFilter,
  type Name,
  type Scope,
} from './listing';
import type { Path, Query, Schema, Values } from '@/api/call';
import { addressOf } from '@/api/client';
import type { Listing } from './codec';
import { MODEL_INDEX, VIDEO_INDEX, sortOfIndex, sortedIndex } from './mapping';
import { oneOf } from '@/lib/one-of';

const SEARCH = '/api/videos2.php' satisfies Path;

/** What a search client searches. It is fixed for the life of one InstantSearch tree. */
export interface SearchContext {
  scope: Scope;
  /** The visitor's country, used when the scope has none. */
  country: string;
  gender: Schema<'Gender'>;
  lang: Schema<'Lang'>;
}

/** The part of an InstantSearch request that we use. */
export interface SearchRequest {
  indexName: string;
  params?:
    | {
        query?: string | undefined;
        page?: number | undefined;
        facetFilters?: FacetFilters | undefined;
        numericFilters?: FacetFilters | undefined;
      }
    | undefined;
}
export type FacetFilters = string | readonly (string | readonly string[])[];

const flat = (filters: FacetFilters | undefined): string[] =>
  typeof filters === 'string' ? [filters] : (filters ?? []).flatMap((filter) => filter);

/** Parses `attribute:value` filters into a map, in the order in which they were chosen. */
export function readFilters(filters: FacetFilters | undefined): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const filter of flat(filters)) {
    const cut = filter.indexOf(':');
    const name = filter.slice(0, cut);
    // The helper escapes a leading minus, which it uses as the sign for exclusion.
    const value = filter.slice(cut + 1).replace(/^\\-/, '-');
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

/** Parses `age>=25`, `age<=34` into `{age: "25.34"}`. The API fills in an open end. */
export function readRanges(filters: FacetFilters | undefined): Map<string, string> {
  const ends = new Map<string, [string, string]>();
  for (const filter of flat(filters)) {
    const match = /^(\w+)(>=|<=)(\d+)$/.exec(filter);
    if (!match) continue;
    const [, name = '', sign, value = ''] = match;
    const [min, max] = ends.get(name) ?? ['0', '999'];
    ends.set(name, sign === '>=' ? [value, max] : [min, value]);
  }
  return new Map([...ends].map(([name, [min, max]]) => [name, `${min}.${max}`]));
}

const facetFilters = (chosen: [string, readonly string[]][]): string[] =>
  chosen.flatMap(([name, values]) => values.map((value) => `${name}:${value}`));

/** Builds the InstantSearch request for a listing, as far as our calls use it. */
export function toRequest(listing: Listing): SearchRequest {
  if (listing.list === 'models') {
    const { sort, page, filters } = listing.state;
    const set = MODEL_FILTERS.flatMap((name) => {
      const value = filters[name];
      return value ? [[name, value] as const] : [];
    });
    return {
      indexName: sort ? sortedIndex(MODEL_INDEX, sort) : MODEL_INDEX,
      params: {
        page: page - 1,
        facetFilters: facetFilters(
          set.filter(([name]) => !isRangeFilter(name)).map(([name, value]) => [name, [value]]),
        ),
        numericFilters: set
          .filter(([name]) => isRangeFilter(name))
          .flatMap(([name, value]) => {
            const [min = '', max = ''] = value.split('.');
            return [`${name}>=${min}`, `${name}<=${max}`];
          }),
      },
    };
  }
  const { state } = listing;
  return {
    indexName: state.sort ? sortedIndex(VIDEO_INDEX, state.sort) : VIDEO_INDEX,
    params: {
      query: state.query,
      page: state.page - 1,
      facetFilters: facetFilters([
        ...NAMES.map(({ name }): [string, string[]] => [name, state[name]]),
        ...CHOICES.map(({ name }): [string, string[]] => [name, [state[name]]]),
      ]),
    },
  };
}

function modelsCall(request: SearchRequest, context: SearchContext): string {
  const { params } = request;
  const sort = oneOf(MODEL_SORTS, sortOfIndex(request.indexName), DEFAULT_MODEL_SORT);
  const chosen = readFilters(params?.facetFilters);
  const ranges = readRanges(params?.numericFilters);
  const value = (name: ModelFilter): string | undefined =>
    isRangeFilter(name) ? ranges.get(name) : chosen.get(name)?.[0];
  const filters = MODEL_FILTERS.flatMap((name) => {
    const wanted = value(name);
    return wanted ? [`-${name}~${wanted}`] : [];
  });
  return addressOf(calls.MODELS, {
    lifetime: lifetimes.DEFAULT,
    gender: context.gender,
    filters: filters.join(''),
    sort,
    count: PAGE_SIZE,
    page: (params?.page ?? 0) + 1,
    lang: context.lang,
  });
}

interface Object {
  section: 'all' | 'categories' | 'model' | 'top-country';
  object_id: string;
}

const objectOf = ({ scope, country }: SearchContext, categories: string[]): Object => {
  if (scope.kind === 'model') return { section: 'model', object_id: scope.dir };
  if (scope.kind === 'country')
    return { section: 'top-country', object_id: scope.country ?? country };
  return { section: categories.length > 0 ? 'categories' : 'all', object_id: categories.join(',') };
};

/** Returns the chosen names, besides the list's own name, as API parameters. */
const namesOf = (chosen: Map<string, string[]>) =>
  Object.fromEntries(NAMES.map(({ name }) => [name, chosen.get(name)?.join(',')])) as Partial<
    Record<Name, string>
  >;

type CallQuery =
  | { search: Query<typeof SEARCH> }
  | { list: Omit<Values<typeof calls.VIDEOS>, 'lang'> & Object }
  | null;

/** Returns the query for a request, or null if it needs none because the text is too short or too long. */
export function toQuery(request: SearchRequest, context: SearchContext): CallQuery {
  const { params } = request;
  const chosen = readFilters(params?.facetFilters);
  const categories = chosen.get('categories') ?? [];
  const sort = oneOf(SEARCH_SORTS, sortOfIndex(request.indexName), defaultSort(context.scope));
  const { gender, lang, scope } = context;
  const lifetime = sort === 'latest-updates' ? lifetimes.LATEST : lifetimes.DEFAULT;
  const page = (params?.page ?? 0) + 1;
  const { path, query } = placed(readChoices((name) => chosen.get(name)?.[0]));
  const names = namesOf(chosen);
  if (scope.kind === 'search' || sort === 'relevance') {
    const s = (params?.query ?? '').trim();
    if (!isQuery(s)) return null;
    const tail = [page, ...Object.values(path)].join('.');
    const search = {
      params: [lifetime, gender, sort, PAGE_SIZE, `search..${tail}`].join('/'),
      s,
      lang,
      ...names,
      ...query,
    };
    return { search };
  }
  const of = objectOf(context, categories);
  if (of.section === 'categories') delete names.categories;
  const list = { lifetime, gender, sort, count: PAGE_SIZE, ...of, page, ...path };
  return { list: { ...list, ...names, ...query } };
}

/** Returns the API call for a request, or null if it needs none. */
export function toCall(request: SearchRequest, context: SearchContext): string | null {
  if (request.indexName.split('/')[0] === MODEL_INDEX) return modelsCall(request, context);
  const found = toQuery(request, context);
  if (!found) return null;
  if ('search' in found) return addressOf(SEARCH, found.search);
  return addressOf(calls.VIDEOS, { lang: context.lang, ...found.list });
}

/** A filter whose values can be searched by typing. */
export type Facet = Query<'/api/facets.php'>['facet'];

/** Values are counted within the last search, but only as far as its names restrict it. */
export const toFacetCall = (
  facet: Facet,
  q: string,
  { lang, gender }: SearchContext,
  shown?: SearchRequest,
): string =>
  addressOf('/api/facets.php', {
    facet,
    q,
    lang,
    index: 'videos',
    gender,
    ...namesOf(readFilters(shown?.params?.facetFilters)),
  });
