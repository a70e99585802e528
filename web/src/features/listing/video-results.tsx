import { Link } from 'wouter';
import { paths } from '@/app/paths';
import { VideoGrid, VideoGridSkeleton } from '@/features/cards/video-grid';
import { useT } from '@/i18n';
import { MAX_QUERY, MIN_QUERY, PAGE_SIZE, isQuery } from '@/search/listing';
import { useVideoListing } from '@/search/video-listing';
import { button } from '@/ui/button';
import { LoadError, Panel } from '@/ui/problem';
import { Pagination } from './pagination';
import { useVideoChips } from './use-video-chips';

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
  if (!results.hits) return <VideoGridSkeleton count={PAGE_SIZE} />;
  if (results.hits.length === 0) return <NothingFound />;
  return (
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
}

function NothingFound() {
  const t = useT();
  const { scope } = useVideoListing();
  const { chips, clear } = useVideoChips();
  return (
    <Panel
      title={t('empty.videos')}
      text={
        chips.length > 0
          ? t('empty.fewerFilters')
          : scope.kind === 'search'
            ? t('empty.otherWords')
            : undefined
      }
    >
      {chips.length > 0 && (
        <button type="button" className={button.primary} onClick={clear}>
          {t('filter.clear')}
        </button>
      )}
      <Link href={paths.videos('most-popular')} className={button.plain}>
        {t('empty.popular')}
      </Link>
      <Link href={paths.categories} className={button.plain}>
        {t('nav.categories')}
      </Link>
    </Panel>
  );
}
