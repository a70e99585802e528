/** New videos of those one follows. Each page says where the next begins, so that nothing comes twice when something new is posted meanwhile. */
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { Url } from '@/api/call';
import { useSay } from '@/i18n/actions';
import { VideoGrid, VideoGridSkeleton } from '@/shared/cards/video-grid';
import { getJson } from '@/lib/http';
import { useVisitor } from '@/lib/visitor';
import { LoadError, Panel } from '@/ui/problem';
import { ShowMore } from '@/ui/show-more';
import type { ListAnswer } from '@/shared/queries/own-lists';
import { useAreaSay } from '@/i18n/member';

const SKELETONS = 12;

const feedQuery = (lang: string) => {
  const first =
    `/api/member_lists.php?list=feed&lang=${lang}` satisfies Url<'/api/member_lists.php'>;
  return infiniteQueryOptions({
    queryKey: [first, 'pages'],
    queryFn: ({ pageParam: after, signal }) =>
      getJson<ListAnswer<'feed'>>(after ? `${first}&after=${after}` : first, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });
};

export function Feed() {
  const say = useAreaSay();
  const act = useSay();
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
