/** The request half of our search client: an InstantSearch request → one call of the API. Pure. */
import {
  DATES,
  DEFAULT_MODEL_SORT,
  DURATIONS,
  MODEL_FILTERS,
  MODEL_SORTS,
  PAGE_SIZE,
  SEARCH_SORTS,
  TYPES,
  defaultSort,
  isQuery,
  isRangeFilter,
  type ModelFilter,
  type Scope,
} from './listing';
import type { Query, Schema } from '@/api/call';
import { DEFAULT, LATEST } from '@/api/lifetimes';
import { MODEL_INDEX, sortOfIndex } from './mapping';
import { isOneOf } from '@/lib/one-of';

/** Where a search client looks: fixed for the life of one InstantSearch tree. */
export interface SearchContext {
  scope: Scope;
  /** The visitor's country, used when the scope names none. */
  country: string;
  gender: Schema<'Gender'>;
  lang: Schema<'Lang'>;
}

/** The part of an InstantSearch request that means something to us. */
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

const lifetimeOf = (sort: string): number => (sort === 'latest-updates' ? LATEST : DEFAULT);

const flat = (filters: FacetFilters | undefined): string[] =>
  typeof filters === 'string' ? [filters] : (filters ?? []).flatMap((filter) => filter);

/** `attribute:value` filters as a map, in the order they were chosen. */
export function readFilters(filters: FacetFilters | undefined): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const filter of flat(filters)) {
    const cut = filter.indexOf(':');
    const name = filter.slice(0, cut);
    // The helper escapes a leading minus, its sign of exclusion.
    const value = filter.slice(cut + 1).replace(/^\\-/, '-');
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  return found;
}

/** `age>=25`, `age<=34` → `{age: "25.34"}`; an open end is left to the API's own bound. */
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

const choose = <T extends string>(list: readonly T[], value: string | undefined, other: T): T =>
  isOneOf(list, value) ? value : other;

function modelsCall(request: SearchRequest, context: SearchContext): string {
  const { params } = request;
  const sort = choose(MODEL_SORTS, sortOfIndex(request.indexName), DEFAULT_MODEL_SORT);
  const chosen = readFilters(params?.facetFilters);
  const ranges = readRanges(params?.numericFilters);
  const value = (name: ModelFilter): string | undefined =>
    isRangeFilter(name) ? ranges.get(name) : chosen.get(name)?.[0];
  const filters = MODEL_FILTERS.flatMap((name) => {
    const wanted = value(name);
    return wanted ? [`-${name}~${encodeURIComponent(wanted)}`] : [];
  }).join('');
  const page = String((params?.page ?? 0) + 1);
  return (
    `/api/json/models/${String(DEFAULT)}/${context.gender}/filt${filters}/${sort}/` +
    `${String(PAGE_SIZE)}/${page}.json?lang=${context.lang}`
  );
}

const sectionOf = (context: SearchContext, categories: string[]): [string, string] => {
  const { scope } = context;
  if (scope.kind === 'model') return ['model', scope.dir];
  if (scope.kind === 'country') return ['top-country', scope.country ?? context.country];
  return categories.length > 0 ? ['categories', categories.join(',')] : ['all', ''];
};

/** The API call of a request, or null where there is nothing to ask (a query too short or long). */
export function toCall(request: SearchRequest, context: SearchContext): string | null {
  if (request.indexName.split('/')[0] === MODEL_INDEX) return modelsCall(request, context);
  const { params } = request;
  const chosen = readFilters(params?.facetFilters);
  const categories = chosen.get('categories') ?? [];
  const sort = choose(SEARCH_SORTS, sortOfIndex(request.indexName), defaultSort(context.scope));
  const page = String((params?.page ?? 0) + 1);
  const tail = [
    page,
    choose(TYPES, chosen.get('type')?.[0], 'all'),
    choose(DURATIONS, chosen.get('duration')?.[0], 'all'),
    choose(DATES, chosen.get('date')?.[0], 'all'),
  ].join('.');
  const head = `${String(lifetimeOf(sort))}/${context.gender}/${sort}/${String(PAGE_SIZE)}`;
  if (context.scope.kind === 'search') {
    const text = (params?.query ?? '').trim();
    if (!isQuery(text)) return null;
    const query = new URLSearchParams({ params: `${head}/search..${tail}`, s: text });
    query.set('lang', context.lang);
    for (const name of ['categories', 'not_categories']) {
      const dirs = chosen.get(name);
      if (dirs) query.set(name, dirs.join(','));
    }
    return `/api/videos2.php?${query.toString()}`;
  }
  const [section, object] = sectionOf(context, categories);
  const id = object.split(',').map(encodeURIComponent).join(',');
  return `/api/json/videos2/${head}/${section}.${id}.${tail}.json?lang=${context.lang}`;
}

/** A filter whose values can be typed for. */
export type Facet = Query<'/api/facets.php'>['facet'];

/** The call of a facet search (type to filter). */
export const toFacetCall = (facet: Facet, text: string, context: SearchContext): string =>
  `/api/facets.php?${new URLSearchParams({
    facet,
    q: text,
    lang: context.lang,
    index: 'videos',
    gender: context.gender,
  } satisfies Query<'/api/facets.php'>).toString()}`;
