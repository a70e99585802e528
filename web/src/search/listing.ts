/** A listing's state, which depends neither on the URL nor on InstantSearch. Both are mapped to it. */
import { words } from '../../generated/addresses';
import { CHOICES, NAMES, RANGE_FILTERS, type MODEL_FILTERS } from '../../generated/vocabulary';
import { lengthOf } from '@/lib/length';
import { limits } from '@/lib/limits';
import { isOneOf, oneOf } from '@/lib/one-of';

export const VIDEO_SORTS = words.video_sort;
export type VideoSort = (typeof VIDEO_SORTS)[number];

/** Search results can also be sorted by relevance, which is their default. */
export const SEARCH_SORTS = ['relevance', ...VIDEO_SORTS] as const;
export type SearchSort = (typeof SEARCH_SORTS)[number];

export const MODEL_SORTS = words.model_sort;
export type ModelSort = (typeof MODEL_SORTS)[number];

/** Facets with one chosen value each. The first word is the default. */
type Facet = (typeof CHOICES)[number];
export type Choice = Facet['name'];
export type Choices = { [One in Facet as One['name']]: One['words'][number] };

/** Lists of names, in the order used in addresses. */
export type Name = (typeof NAMES)[number]['name'];
/** Kinds of names that are chosen from a list. */
export type NameKind = (typeof NAMES)[number]['kind'];

export type ModelFilter = (typeof MODEL_FILTERS)[number];
/** Filters that contain `min.max` instead of one code. */
export type RangeFilter = (typeof RANGE_FILTERS)[number];

/** A list without its filters. */
export type Scope =
  | { kind: 'browse' }
  | { kind: 'search' }
  /** Null stands for the visitor's country. */
  | { kind: 'country'; country: string | null }
  | { kind: 'model'; dir: string };

export interface VideoState extends Choices, Record<Name, string[]> {
  query: string;
  /** Null stands for the scope's default. */
  sort: SearchSort | null;
  /** Starts at 1. */
  page: number;
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

/**
 * A single kanji, a single character of a script that is written without spaces, or a single emoji is a word, as on the server
 * (`search/src/length.rs`). A single letter is not.
 */
const WORD =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\uac00-\ud7a3\u2600-\u27bf\u{1f300}-\u{1faff}]/u;

export const minQuery = (text: string): number => (WORD.test(text) ? 1 : limits().search.min);

export function isQuery(text: string): boolean {
  const length = lengthOf(text.trim());
  return length >= minQuery(text) && length <= limits().search.max;
}

export const isRangeFilter = (name: string): name is RangeFilter => isOneOf(RANGE_FILTERS, name);

/** Reads each facet's value, which is the default unless it is one of the facet's words. */
export const readChoices = (value: (name: Choice) => string | null | undefined): Choices =>
  Object.fromEntries(
    CHOICES.map(({ name, words: [initial, ...others] }) => [
      name,
      oneOf<string, string>(others, value(name), initial),
    ]),
  ) as Choices;

export const readNames = (value: (name: Name) => string[] | undefined): Record<Name, string[]> =>
  Object.fromEntries(NAMES.map(({ name }) => [name, value(name) ?? []])) as Record<Name, string[]>;

/** Returns each facet that isn't at its default, with its value. */
export const chosenIn = (choices: Choices): [Choice, string][] =>
  CHOICES.filter(({ name, words: [initial] }) => choices[name] !== initial).map(({ name }) => [
    name,
    choices[name],
  ]);

type InPath = Pick<Choices, Extract<Facet, { place: 'path' }>['name']>;

/** Splits choices into the parts of a call's address. The path contains every choice, the query only those that aren't defaults. */
export function placed(choices: Choices): { path: InPath; query: Partial<Choices> } {
  const at = (wanted: 'path' | 'query') =>
    CHOICES.filter(({ place }) => place === wanted).map(({ name }) => name);
  const path = at('path').map((name) => [name, choices[name]]);
  const query = chosenIn(choices).filter(([name]) => isOneOf(at('query'), name));
  return {
    path: Object.fromEntries(path) as InPath,
    query: Object.fromEntries(query),
  };
}

export const emptyVideoState = (): VideoState => ({
  query: '',
  sort: null,
  page: 1,
  ...readNames(() => []),
  ...readChoices(() => null),
});
