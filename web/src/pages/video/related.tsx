import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { VideoGrid, VideoGridSkeleton } from '@/shared/cards/video-grid';
import { Pagination } from '@/shared/lists/pagination';
import { useT } from '@/i18n';
import { limits } from '@/lib/limits';
import { useVisitor } from '@/lib/visitor';
import { LoadError } from '@/ui/problem';
import { relatedQuery } from '@/shared/queries/related';
import { useUnmuted } from '@/search/unmuted';

export function Related({ id }: { id: number }) {
  const t = useT();
  const { lang } = useVisitor();
  const heading = useRef<HTMLHeadingElement>(null);
  const [page, setPage] = useState(1);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...useUnmuted(relatedQuery(id, page, lang)),
    placeholderData: keepPreviousData,
  });
  if (data?.videos.length === 0) return null;
  return (
    <section aria-labelledby="related" aria-busy={isPlaceholderData}>
      <h2
        id="related"
        ref={heading}
        tabIndex={-1}
        className="scroll-mt-20 pb-4 text-lg font-semibold tracking-tight outline-none"
      >
        {t('video.related')}
      </h2>
      {error && !data ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <VideoGrid videos={data.videos} />
      ) : (
        <VideoGridSkeleton count={limits().related} />
      )}
      <Pagination
        page={page}
        pages={Math.ceil((data?.total_count ?? 0) / limits().related)}
        onPick={(next) => {
          setPage(next);
          heading.current?.scrollIntoView({ block: 'start' });
          heading.current?.focus({ preventScroll: true });
        }}
      />
    </section>
  );
}
