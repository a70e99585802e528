import { lazy, Suspense } from 'react';
import { VideoGrid, VideoGridSkeleton } from '@/shared/cards/video-grid';
import { useT } from '@/i18n';
import { MAX_QUERY, MIN_QUERY, PAGE_SIZE, isQuery } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { LoadError, Panel } from '@/ui/problem';
import { Pagination } from './pagination';

const NothingFound = lazy(() => import('@/shared/search-help/nothing-found'));
const SearchHelp = lazy(() => import('@/shared/search-help/search-help'));

/** The list itself: cards, skeletons, nothing found, or what went wrong. */
export function VideoResults() {
  const t = useT();
  const { results, state, href, scope } = useVideoListing();
  if (results.error) {
    return <LoadError error={results.error} onRetry={results.retry} />;
  }
  if (scope.kind === 'search' && !isQuery(state.query)) {
    return <Panel title={t('search.length', { min: MIN_QUERY, max: MAX_QUERY })} />;
  }
  const waiting = <VideoGridSkeleton count={PAGE_SIZE} />;
  if (!results.hits) return waiting;
  const list =
    results.hits.length === 0 ? (
      <NothingFound />
    ) : (
      <>
        <VideoGrid videos={results.hits} eager />
        <Pagination
          page={state.page}
          pages={results.pages}
          href={(page) => href({ page })}
          onNear={results.prefetch}
        />
      </>
    );
  return (
    <Suspense fallback={waiting}>
      {scope.kind === 'search' ? <SearchHelp>{list}</SearchHelp> : list}
    </Suspense>
  );
}
