/** New videos from followed models and members. Each page has a cursor to the next one, so that new posts cause no duplicates. */
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useActionText } from '@/i18n/actions';
import { VideoGrid, VideoGridSkeleton } from '@/shared/cards/video-grid';
import type { Lang } from '@/lib/audience';
import { useVisitor } from '@/lib/visitor';
import { LoadError, Panel } from '@/ui/problem';
import { ShowMore } from '@/ui/show-more';
import { fetchPart } from '@/shared/queries/own-lists';
import { useMemberText } from '@/i18n/member';

const SKELETONS = 12;

const feedQuery = (lang: Lang) =>
  infiniteQueryOptions({
    queryKey: ['feed', lang],
    queryFn: ({ pageParam, signal }) =>
      fetchPart('feed', { lang, after: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

export function Feed() {
  const say = useMemberText();
  const act = useActionText();
  const { lang } = useVisitor();
  const feed = useInfiniteQuery(feedQuery(lang));
  const { data, error, refetch } = feed;
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <div aria-busy="true">
        <VideoGridSkeleton count={SKELETONS} />
      </div>
    );
  }
  const videos = data.pages.flatMap((page) => page.videos);
  if (videos.length === 0) return <Panel title={say('noFeed')} />;
  return (
    <div aria-busy={feed.isFetchingNextPage} className="flex flex-col">
      <VideoGrid videos={videos} eager />
      <ShowMore list={feed} label={act('loadMore')} className="mt-10 self-center" />
    </div>
  );
}
