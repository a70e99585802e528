/** The surrounding tree's results in terms of our API. */
import { useEffect, useMemo } from 'react';
import { useInstantSearch } from 'react-instantsearch';
import { whenIdle } from '@/lib/idle';
import { useListingClient } from './listing-tree';
import type { SearchResult } from './response';

export interface Results<Hit> {
  /** Null until the first response, and also while a response takes long: show skeletons. */
  hits: Hit[] | null;
  total: number;
  pages: number;
  labels: SearchResult['labels'];
  details: SearchResult['details'];
  spreads: SearchResult['spreads'];
  help: SearchResult['help'];
  /** Whether a change is loading, during which the previous state is shown. */
  busy: boolean;
  error: Error | undefined;
  retry: () => void;
  prefetch: (page: number) => void;
}

export function useResults<Hit>(page: number): Results<Hit> {
  const { results, status, refresh } = useInstantSearch();
  const { prefetch, shownFirst } = useListingClient();
  // The library's type lacks the fields that our response half adds.
  const found = results as unknown as
    (Partial<SearchResult> & { __isArtificial?: boolean }) | null | undefined;
  const shown: Partial<SearchResult> | null =
    found && found.__isArtificial !== true ? found : shownFirst;
  const waiting = !shown || status === 'stalled';
  const pages = waiting ? 0 : (shown.nbPages ?? 0);
  useEffect(() => {
    if (status !== 'idle' || page >= pages) return;
    return whenIdle(() => {
      prefetch(page + 1);
    });
  }, [status, page, pages, prefetch]);
  const busy = status === 'loading' || status === 'stalled';
  return useMemo(
    () => ({
      hits: waiting ? null : ((shown.hits ?? []) as Hit[]),
      total: shown?.nbHits ?? 0,
      pages,
      labels: shown?.labels ?? {},
      details: shown?.details ?? {},
      spreads: shown?.spreads ?? {},
      help: shown?.help,
      busy,
      error: waiting ? undefined : shown.failure,
      retry: refresh,
      prefetch,
    }),
    [shown, waiting, pages, busy, refresh, prefetch],
  );
}
