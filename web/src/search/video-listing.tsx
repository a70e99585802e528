/** The state and results of a video listing, which its whole screen shares. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import {
  useInstantSearch,
  usePagination,
  useRefinementList,
  useSearchBox,
  useSortBy,
} from 'react-instantsearch';
import { mainQuery } from '@/api/endpoints';
import { CHOICES, NAMES } from '../../generated/vocabulary';
import type { VideoCard } from '@/api/types';
import { requiredContext } from '@/lib/context';
import { useVisitor } from '@/lib/visitor';
import { formatListing } from './codec';
import {
  SEARCH_SORTS,
  defaultSort,
  isQuery,
  type NameKind,
  type Scope,
  type VideoState,
} from './listing';
import { VIDEO_INDEX, sortedIndex, uiToVideos, videosToUi } from './mapping';
import { useOnMuting } from './use-on-muting';
import { useResults, type Results } from './use-results';
import { useSame } from './use-same';

export interface NamedItem {
  dir: string;
  title: string;
  /** What tells a model apart from others of this name. */
  detail: string | undefined;
  total: number;
  chosen: boolean;
  /** Whether the name is common enough across the site to be listed before anyone types. */
  common: boolean;
}

interface VideoListing {
  scope: Scope;
  state: VideoState;
  /** The sort order in effect, whether default or chosen. */
  sort: VideoState['sort'] & string;
  results: Results<VideoCard>;
  /** How many videos match the query, or null if this is unknown. */
  found: number | null;
  /** Names that can be chosen, and the function that searches them. */
  named: Record<NameKind, { items: NamedItem[]; search: (text: string) => void }>;
  titleOf: (named: NameKind, dir: string) => string;
  /** Changes the state, and returns to page 1 unless the patch sets a page. */
  set: (patch: Partial<VideoState>) => void;
  /** Returns the address that `set` would lead to. */
  href: (patch: Partial<VideoState>) => string;
}

const [Context, useVideoListing] = requiredContext<VideoListing>('useVideoListing');
export { useVideoListing };

const SORT_ITEMS = [
  { value: VIDEO_INDEX, label: 'default' },
  ...SEARCH_SORTS.map((sort) => ({ value: sortedIndex(VIDEO_INDEX, sort), label: sort })),
];
/** This exceeds the number of categories on a site, because the rail scrolls and has no pages. */
const NAMES_LIMIT = 100;

/** Parts of the state that have a widget of their own but no list to choose from. */
const UNLISTED = [...CHOICES, ...NAMES.filter(({ negated }) => negated)].map(({ name }) => name);

function Refinement({ attribute }: { attribute: string }) {
  useRefinementList({ attribute, operator: 'and' });
  return null;
}

/** Registers widgets for every part of the state, whatever the screen shows. */
function useVideoWidgets() {
  useSearchBox();
  usePagination();
  useSortBy({ items: SORT_ITEMS });
  return {
    categories: useRefinementList({
      attribute: 'categories',
      operator: 'and',
      limit: NAMES_LIMIT,
    }),
    models: useRefinementList({ attribute: 'models', operator: 'and', limit: NAMES_LIMIT }),
  };
}

/** Returns the number of hits. Substitute results don't count. */
function foundOf(
  { hits, error, help, total }: Results<VideoCard>,
  scope: Scope,
  { query }: VideoState,
): number | null {
  if (!hits || error || (scope.kind === 'search' && !isQuery(query))) return null;
  return help?.relaxed ? 0 : total;
}

interface Props {
  scope: Scope;
  children: ReactNode;
}

export function VideoListingProvider({ scope: given, children }: Props) {
  const scope = useSame(given);
  const { categories, models } = useVideoWidgets();
  const { indexUiState, setIndexUiState } = useInstantSearch();
  const state = useSame(uiToVideos({ [VIDEO_INDEX]: indexUiState }));
  const results = useResults<VideoCard>(state.page);
  const isFirst = state.page === 1;
  const { retry } = results;
  useOnMuting(() => {
    // There may be fewer pages now.
    if (isFirst) retry();
    else setIndexUiState(videosToUi({ ...state, page: 1 })[VIDEO_INDEX] ?? {});
  });
  const { data: main } = useQuery(mainQuery(useVisitor()));
  // Only consumers whose data has changed are rendered again.
  const value = useMemo((): VideoListing => {
    const lists = { categories, models };
    const titleOf = (named: NameKind, dir: string): string =>
      results.labels[named]?.[dir] ??
      main?.[named].find((known) => known.dir === dir)?.title ??
      dir;
    const change = (patch: Partial<VideoState>): VideoState => {
      const next = { ...state, page: 1, ...patch };
      return { ...next, sort: next.sort === defaultSort(scope) ? null : next.sort };
    };
    const isCommon = (dir: string): boolean =>
      !main?.categories.some(
        (one) => one.dir === dir && one.total_videos < main.sidebar_min_videos,
      );
    const choiceOf = (named: NameKind) => ({
      items: lists[named].items.map((item) => ({
        dir: item.value,
        // A facet hit carries its own title. For the facets of a result, titles are in the result's labels.
        title: (item as { title?: string }).title ?? titleOf(named, item.value),
        detail: (item as { detail?: string }).detail ?? results.details[named]?.[item.value],
        total: item.count,
        chosen: state[named].includes(item.value),
        common: named === 'models' || isCommon(item.value),
      })),
      search: lists[named].searchForItems,
    });
    return {
      scope,
      state,
      sort: state.sort ?? defaultSort(scope),
      results,
      found: foundOf(results, scope, state),
      named: { categories: choiceOf('categories'), models: choiceOf('models') },
      titleOf,
      set: (patch) => {
        setIndexUiState(videosToUi(change(patch))[VIDEO_INDEX] ?? {});
      },
      href: (patch) => formatListing({ list: 'videos', scope, state: change(patch) }),
    };
  }, [scope, state, results, categories, models, main, setIndexUiState]);
  return (
    <Context value={value}>
      {UNLISTED.map((name) => (
        <Refinement key={name} attribute={name} />
      ))}
      {children}
    </Context>
  );
}
