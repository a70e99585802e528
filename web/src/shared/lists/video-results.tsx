import { lazy, Suspense, useCallback, useEffect, type ReactNode } from 'react';
import type { VideoCard } from '@/api/types';
import { useVideoChips } from '@/shared/filters/use-video-chips';
import { VideoFilters } from '@/shared/filters/on-demand';
import { VideoGrid, VideoGridSkeleton } from '@/shared/cards/video-grid';
import { SearchHelp } from '@/shared/search-help/on-demand';
import { newSince } from '@/shared/saved/new-since';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { whenIdle } from '@/lib/idle';
import { limits } from '@/lib/limits';
import { PAGE_SIZE } from '../../../generated/vocabulary';
import { isQuery, type SearchSort } from '@/search/listing';
import { reportFound } from '@/search/report-found';
import { useVideoListing } from '@/search/video-listing';
import { useVisitor } from '@/lib/visitor';
import { LoadError, Panel } from '@/ui/problem';
import { ListFrame } from './frame';
import { Pagination } from './pagination';
import { SortMenu } from './sort-menu';

const NothingFound = lazy(() => import('@/shared/search-help/nothing-found'));
const SaveSearch = deferred(
  () => import('@/shared/saved/save-search'),
  <span className="size-10 pointer-coarse:size-11" />,
);

interface Props {
  heading: ReactNode;
  /** The available sort orders. They are missing if there is only one. */
  sorts?: readonly SearchSort[] | undefined;
}

/** A video listing with its filters and sort menu. */
export function VideoList({ heading, sorts }: Props) {
  const t = useT();
  const { scope, state, sort, href, results, found } = useVideoListing();
  // Charts can't be saved, because nothing is new in a ranking. Neither can searches without words.
  const isSaved = scope.kind !== 'country' && (scope.kind !== 'search' || isQuery(state.query));
  const { chips, clear } = useVideoChips();
  // Preloads the filters, because it is too late once the browser is offline.
  useEffect(() => whenIdle(() => void VideoFilters.load().catch(() => undefined)), []);
  return (
    <ListFrame
      heading={heading}
      summary={
        found || (found === 0 && scope.kind !== 'search')
          ? t('count.videos', { count: found })
          : null
      }
      sort={
        <div className="flex items-center gap-2">
          {isSaved && <SaveSearch />}
          {sorts && (
            <SortMenu
              links={sorts.map((other) => [
                href({ sort: other }),
                t(`sort.${other}`),
                other === sort,
              ])}
            />
          )}
        </div>
      }
      filters={
        <Suspense>
          <VideoFilters />
        </Suspense>
      }
      chips={chips}
      onClear={clear}
      show={t('filter.show', { count: results.total })}
      busy={results.busy}
    >
      <VideoResults />
    </ListFrame>
  );
}

/** The list itself: cards, skeletons, a text that nothing was found, or an error. */
function VideoResults() {
  const t = useT();
  const { results, state, href, scope } = useVideoListing();
  const { lang } = useVisitor();
  const since = newSince.useValue()?.since;
  const { query, page } = state;
  const onOpen = useCallback(
    ({ video_id }: VideoCard, index: number) =>
      reportFound({ video_id, query, lang, place: (page - 1) * PAGE_SIZE + index + 1 }),
    [query, page, lang],
  );
  if (results.error) {
    return <LoadError error={results.error} onRetry={results.retry} />;
  }
  if (scope.kind === 'search' && !isQuery(state.query)) {
    return <Panel title={t('search.length', { ...limits().search })} />;
  }
  // Substitute results say nothing about the search.
  const learns = scope.kind === 'search' && !results.help?.relaxed;
  const waiting = <VideoGridSkeleton count={PAGE_SIZE} />;
  if (!results.hits) return waiting;
  const list = (
    <>
      {results.hits.length === 0 ? (
        <NothingFound />
      ) : (
        <VideoGrid videos={results.hits} eager since={since} onOpen={learns ? onOpen : undefined} />
      )}
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
