/** A listing's state, which depends neither on the URL nor on InstantSearch. Both are mapped to it. */
import { words } from '../../generated/addresses';
import { lengthOf } from '@/lib/length';
import { limits } from '@/lib/limits';
import { isOneOf } from '@/lib/one-of';

export const VIDEO_SORTS = words.video_sort;
export type VideoSort = (typeof VIDEO_SORTS)[number];

/** Search results can also be sorted by relevance, which is their default. */
export const SEARCH_SORTS = ['relevance', ...VIDEO_SORTS] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

export const MODEL_SORTS = words.model_sort;
export type ModelSort = (typeof MODEL_SORTS)[number];

export const TYPES = ['all', 'hd', 'uncensored'] as const;
export const DURATIONS = ['all', 'short', 'medium', 'long'] as const;
export const DATES = ['all', 'day', 'week', 'month', 'year'] as const;

/** Video filters that take several names, in the order used in addresses. */
export const NAMES = ['categories', 'not_categories', 'models', 'not_models'] as const;
/** Kinds of names that are chosen from a list. */
export type NameKind = 'categories' | 'models';
/** The kind of name that each filter contains. */
export const KIND_OF = {
  categories: 'categories',
  not_categories: 'categories',
  models: 'models',
  not_models: 'models',
} as const satisfies Record<(typeof NAMES)[number], NameKind>;

/** Model filters in the order of the API's parameter. */
export const MODEL_FILTERS = [
  'alphabet',
  'race',
  'age',
  'country',
  'tits_size',
  'hair_color',
  'height',
  'weight',
  'tattoo',
  'piercing',
] as const;
export type ModelFilter = (typeof MODEL_FILTERS)[number];
/** Filters that contain `min.max` instead of one code. */
export const RANGE_FILTERS = ['age', 'height', 'weight'] as const;
export type RangeFilter = (typeof RANGE_FILTERS)[number];

/** Number of items per page. Lists of members have more, and lists of comments and people have fewer. */
export const PAGE_SIZE = 60;

/** A list without its filters. */
export type Scope =
  | { kind: 'browse' }
  | { kind: 'search' }
  /** Null stands for the visitor's country. */
  | { kind: 'country'; country: string | null }
  | { kind: 'model'; dir: string };

export interface VideoState {
  query: string;
  categories: string[];
  /** Excluded categories. */
  not_categories: string[];
  models: string[];
  /** Excluded models. */
  not_models: string[];
  /** Null stands for the scope's default. */
  sort: SearchSort | null;
  /** Starts at 1. */
  page: number;
  type: (typeof TYPES)[number];
  duration: (typeof DURATIONS)[number];
  date: (typeof DATES)[number];
}

export interface ModelState {
  sort: ModelSort | null;
  /** Starts at 1. */
  page: number;
  filters: Partial<Record<ModelFilter, string>>;
}

export const DEFAULT_MODEL_SORT: ModelSort = 'most-popular';

export const defaultSort = (scope: Scope): SearchSort =>
  scope.kind === 'search'
    ? 'relevance'
    : scope.kind === 'country'
      ? 'most-popular'
      : 'latest-updates';

/** A single kanji is a word, but a single letter is not. */
const KANJI = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆]/;

export const minQuery = (text: string): number => (KANJI.test(text) ? 1 : limits().search.min);

export function isQuery(text: string): boolean {
  const length = lengthOf(text.trim());
  return length >= minQuery(text) && length <= limits().search.max;
}

export const isRangeFilter = (name: string): name is RangeFilter => isOneOf(RANGE_FILTERS, name);

export const emptyVideoState = (): VideoState => ({
  query: '',
  categories: [],
  not_categories: [],
  models: [],
  not_models: [],
  sort: null,
  page: 1,
  type: 'all',
  duration: 'all',
  date: 'all',
});
