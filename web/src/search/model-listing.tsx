/** The state and results of the list of models, which its whole screen shares. */
import { useMemo, type ReactNode } from 'react';
import {
  useInstantSearch,
  usePagination,
  useRange,
  useRefinementList,
  useSortBy,
} from 'react-instantsearch';
import type { ModelCard } from '@/api/types';
import { requiredContext } from '@/lib/context';
import { formatListing } from './codec';
import {
  DEFAULT_MODEL_SORT,
  MODEL_SORTS,
  type ModelFilter,
  type ModelSort,
  type ModelState,
  type RangeFilter,
} from './listing';
import { MODEL_INDEX, modelsToUi, sortedIndex, uiToModels } from './mapping';
import { useOnMuting } from './use-on-muting';
import { useResults, type Results } from './use-results';
import { useSame } from './use-same';

export type ChoiceFilter = Exclude<ModelFilter, RangeFilter>;
interface FacetItem {
  value: string;
  label: string;
  total: number;
}
export interface Bounds {
  min: number;
  max: number;
}

interface ModelListing {
  state: ModelState;
  sort: ModelSort;
  results: Results<ModelCard>;
  facets: Record<ChoiceFilter, FacetItem[]>;
  /** The range of values in the results, or null if it is unknown. */
  bounds: Record<RangeFilter, Bounds | null>;
  set: (patch: Partial<ModelState>) => void;
  setFilter: (name: ModelFilter, value: string | null) => void;
  href: (patch: Partial<ModelState>) => string;
}

const [Context, useModelListing] = requiredContext<ModelListing>('useModelListing');
export { useModelListing };

const SORT_ITEMS = [
  { value: MODEL_INDEX, label: 'default' },
  ...MODEL_SORTS.map((sort) => ({ value: sortedIndex(MODEL_INDEX, sort), label: sort })),
];
/** This is enough for every country and letter. */
const VALUES = 250;

function useFacet(attribute: ChoiceFilter, labels: Results<ModelCard>['labels']): FacetItem[] {
  const { items } = useRefinementList({ attribute, operator: 'or', limit: VALUES });
  return items.map(({ value, count }) => ({
    value,
    label: labels[attribute]?.[value] ?? value,
    total: count,
  }));
}

function useBounds(attribute: RangeFilter): Bounds | null {
  const { range } = useRange({ attribute });
  const { min, max } = range;
  return min !== undefined && max !== undefined && min < max ? { min, max } : null;
}

export function ModelListingProvider({ children }: { children: ReactNode }) {
  usePagination();
  useSortBy({ items: SORT_ITEMS });
  const { indexUiState, setIndexUiState } = useInstantSearch();
  const state = useSame(uiToModels({ [MODEL_INDEX]: indexUiState }));
  const results = useResults<ModelCard>(state.page);
  const isFirst = state.page === 1;
  const { labels, retry } = results;
  useOnMuting(() => {
    // There may be fewer pages now.
    if (isFirst) retry();
    else setIndexUiState(modelsToUi({ ...state, page: 1 })[MODEL_INDEX] ?? {});
  });
  const facets = useSame({
    alphabet: useFacet('alphabet', labels),
    race: useFacet('race', labels),
    country: useFacet('country', labels),
    tits_size: useFacet('tits_size', labels),
    hair_color: useFacet('hair_color', labels),
    tattoo: useFacet('tattoo', labels),
    piercing: useFacet('piercing', labels),
  });
  const bounds = useSame({
    age: useBounds('age'),
    height: useBounds('height'),
    weight: useBounds('weight'),
  });
  // Only consumers whose data has changed are rendered again.
  const value = useMemo((): ModelListing => {
    const change = (patch: Partial<ModelState>): ModelState => {
      const next = { ...state, page: 1, ...patch };
      return { ...next, sort: next.sort === DEFAULT_MODEL_SORT ? null : next.sort };
    };
    const set = (patch: Partial<ModelState>) => {
      setIndexUiState(modelsToUi(change(patch))[MODEL_INDEX] ?? {});
    };
    return {
      state,
      sort: state.sort ?? DEFAULT_MODEL_SORT,
      results,
      facets,
      bounds,
      set,
      setFilter: (name, value) => {
        const { [name]: _old, ...others } = state.filters;
        set({ filters: value ? { ...others, [name]: value } : others });
      },
      href: (patch) => formatListing({ list: 'models', state: change(patch) }),
    };
  }, [state, results, facets, bounds, setIndexUiState]);
  return <Context value={value}>{children}</Context>;
}
