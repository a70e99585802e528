/** Converts between listing state and the UiState that InstantSearch keeps. */
import type { UiState } from 'instantsearch.js';
import {
  DATES,
  DURATIONS,
  MODEL_FILTERS,
  MODEL_SORTS,
  NAMES,
  SEARCH_SORTS,
  TYPES,
  isRangeFilter,
  type ModelState,
  type VideoState,
} from './listing';
import { oneOf } from '@/lib/one-of';

export const VIDEO_INDEX = 'videos';
export const MODEL_INDEX = 'models';
export const CHOICES = ['type', 'duration', 'date'] as const;
export type Choice = (typeof CHOICES)[number];

/** InstantSearch sorts by naming another index. Ours have names like `videos/top-rated`. */
export const sortedIndex = (index: string, sort: string): string => `${index}/${sort}`;
export const sortOfIndex = (indexName: string): string | undefined => indexName.split('/')[1];

export function videosToUi(state: VideoState): UiState {
  const refinementList: Record<string, string[]> = {};
  for (const name of NAMES) if (state[name].length > 0) refinementList[name] = state[name];
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
    models: list.models ?? [],
    not_models: list.not_models ?? [],
    sort: oneOf(SEARCH_SORTS, sort, null),
    page: index.page ?? 1,
    type: oneOf(TYPES, list.type?.[0], 'all'),
    duration: oneOf(DURATIONS, list.duration?.[0], 'all'),
    date: oneOf(DATES, list.date?.[0], 'all'),
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
      : index.refinementList?.[name]?.[0];
    if (value) filters[name] = value;
  }
  return { sort: oneOf(MODEL_SORTS, sort, null), page: index.page ?? 1, filters };
}
