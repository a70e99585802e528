/** Partly watched videos and the last watched one, from the server or the browser. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { get } from '@/api/client';
import type { Path, Schema } from '@/api/call';
import { useVisitor } from '@/lib/visitor';
import type { OwnVideo } from '@/shared/queries/own-lists';
import { isUnfinished, titleIn } from './entries';
import { useGuestHistory } from './guest-history';
import { useIsMember } from './progress';
import type { WatchedVideo } from './stored';

/** How many videos are on the shelf. */
export const SHELF = 12;

const LISTS = '/api/member_lists.php' satisfies Path;

const ownQuery = (list: 'continue_watching' | 'history', count: number, lang: Schema<'Lang'>) =>
  queryOptions({
    ...get<typeof LISTS, Schema<'OwnVideos'>>(LISTS, { list, count, lang }),
    staleTime: 0,
  });

const shown = (item: WatchedVideo, lang: Schema<'Lang'>): OwnVideo => ({
  ...item.video,
  ...titleIn(item, lang),
  stopped_at: item.stopped_at,
});

/** Selects from a member's list or from a guest's history. Returns undefined while loading. */
function useOwn(
  list: Parameters<typeof ownQuery>[0],
  count: number,
  ofGuest: (item: WatchedVideo) => boolean,
): OwnVideo[] | undefined {
  const isMember = useIsMember();
  const { lang } = useVisitor();
  const { items } = useGuestHistory();
  const { data } = useQuery({ ...ownQuery(list, count, lang), enabled: isMember });
  if (isMember) return data?.videos;
  return items
    .filter(ofGuest)
    .slice(0, count)
    .map((item) => shown(item, lang));
}

export const useContinued = () => useOwn('continue_watching', SHELF, isUnfinished);

/** Returns the last watched video. */
export const useLastWatched = (): OwnVideo | undefined =>
  useOwn('history', 1, () => true)?.find(({ title }) => title);
