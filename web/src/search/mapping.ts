/** Listing state ↔ the UiState InstantSearch keeps. */
import type { UiState } from 'instantsearch.js';
import {
  DATES,
  DURATIONS,
  MODEL_FILTERS,
  MODEL_SORTS,
  SEARCH_SORTS,
  TYPES,
  isRangeFilter,
  type ModelState,
  type VideoState,
} from './listing';
import { isOneOf } from '@/lib/one-of';

export const VIDEO_INDEX = 'videos';
export const MODEL_INDEX = 'models';
export const CHOICES = ['type', 'duration', 'date'] as const;
/** Filters that take several values. */
const LISTS = ['categories', 'not_categories'] as const;
export type Choice = (typeof CHOICES)[number];

/** InstantSearch sorts by naming another index; ours are `videos/top-rated`. */
export const sortedIndex = (index: string, sort: string): string => `${index}/${sort}`;
export const sortOfIndex = (indexName: string): string | undefined => indexName.split('/')[1];

const only = (values: string[] | undefined): string | undefined => values?.[0];
const pick = <T extends string>(list: readonly T[], value: string | undefined, other: T): T =>
  isOneOf(list, value) ? value : other;

export function videosToUi(state: VideoState): UiState {
  const refinementList: Record<string, string[]> = {};
  for (const name of LISTS) if (state[name].length > 0) refinementList[name] = state[name];
  for (const name of CHOICES) if (state[name] !== 'all') refinementList[name] = [state[name]];
  return {
    [VIDEO_INDEX]: {
      ...(state.query && { query: state.query }),
      ...(state.page > 1 && { page: state.page }),
      ...(state.sort && { sortBy: sortedIndex(VIDEO_INDEX, state.sort) }),
      ...(Object.keys(refinementList).length > 0 && { refinementList }),
    },
  };
}

export function uiToVideos(ui: UiState): VideoState {
  const index = ui[VIDEO_INDEX] ?? {};
  const sort = sortOfIndex(index.sortBy ?? '');
  const list = index.refinementList ?? {};
  return {
    query: index.query ?? '',
    categories: list.categories ?? [],
    not_categories: list.not_categories ?? [],
    sort: isOneOf(SEARCH_SORTS, sort) ? sort : null,
    page: index.page ?? 1,
    type: pick(TYPES, only(list.type), 'all'),
    duration: pick(DURATIONS, only(list.duration), 'all'),
    date: pick(DATES, only(list.date), 'all'),
  };
}

export function modelsToUi(state: ModelState): UiState {
  const refinementList: Record<string, string[]> = {};
  const range: Record<string, string> = {};
  for (const name of MODEL_FILTERS) {
    const value = state.filters[name];
    if (!value) continue;
    if (isRangeFilter(name)) range[name] = value.replace('.', ':');
    else refinementList[name] = [value];
  }
  return {
    [MODEL_INDEX]: {
      ...(state.page > 1 && { page: state.page }),
      ...(state.sort && { sortBy: sortedIndex(MODEL_INDEX, state.sort) }),
      ...(Object.keys(refinementList).length > 0 && { refinementList }),
      ...(Object.keys(range).length > 0 && { range }),
    },
  };
}

export function uiToModels(ui: UiState): ModelState {
  const index = ui[MODEL_INDEX] ?? {};
  const sort = sortOfIndex(index.sortBy ?? '');
  const filters: ModelState['filters'] = {};
  for (const name of MODEL_FILTERS) {
    const value = isRangeFilter(name)
      ? index.range?.[name]?.replace(':', '.')
      : only(index.refinementList?.[name]);
    if (value) filters[name] = value;
  }
  return { sort: isOneOf(MODEL_SORTS, sort) ? sort : null, page: index.page ?? 1, filters };
}
