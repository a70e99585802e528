/** Converts between listing state and the UiState that InstantSearch keeps. */
import type { UiState } from 'instantsearch.js';
import { MODEL_FILTERS, NAMES } from '../../generated/vocabulary';
import {
  MODEL_SORTS,
  SEARCH_SORTS,
  chosenIn,
  isRangeFilter,
  readChoices,
  readNames,
  type ModelState,
  type VideoState,
} from './listing';
import { oneOf } from '@/lib/one-of';

export const VIDEO_INDEX = 'videos';
export const MODEL_INDEX = 'models';

/** InstantSearch sorts by naming another index. Ours have names like `videos/top-rated`. */
export const sortedIndex = (index: string, sort: string): string => `${index}/${sort}`;
export const sortOfIndex = (indexName: string): string | undefined => indexName.split('/')[1];

export function videosToUi(state: VideoState): UiState {
  const refinementList: Record<string, string[]> = {};
  for (const { name } of NAMES) if (state[name].length > 0) refinementList[name] = state[name];
  for (const [name, value] of chosenIn(state)) refinementList[name] = [value];
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
    sort: oneOf(SEARCH_SORTS, sort, null),
    page: index.page ?? 1,
    ...readNames((name) => list[name]),
    ...readChoices((name) => list[name]?.[0]),
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
