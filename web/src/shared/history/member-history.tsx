import { useQuery } from '@tanstack/react-query';
import { useOptimistic, without } from '@/shared/actions/use-optimistic';
import { Pagination } from '@/shared/lists/pagination';
import { listQuery, listUrl, type ListAnswer } from '@/shared/queries/own-lists';
import type { Place } from '@/shared/lists/list';
import { waitingVideos } from '@/shared/lists/removable';
import { forgetSearches } from '@/shared/search-box/recent';
import { useMemberText } from '@/i18n/member';
import { sendAct, type ActOf } from '@/api/act';
import { useVisitor } from '@/lib/visitor';
import { LoadError } from '@/ui/problem';
import { HistoryControls, HistoryList } from './history-list';

type Answer = ListAnswer<'history'>;

/** Returns fields that restore the entry with its position. */
const backFields = (videos: Answer['videos'], id: number): ActOf<'history'> => ({
  act: 'history',
  section: 'add',
  object_id: id,
  stopped_at: videos.find(({ video_id }) => video_id === id)?.stopped_at,
});

export function MemberHistory({ page, href }: Place) {
  const say = useMemberText();
  const { lang } = useVisitor();
  const atOnce = useOptimistic();
  const url = listUrl('history', page, lang);
  const { data, error, refetch } = useQuery(listQuery('history', page, lang));
  const change = (
    act: ActOf<'history'>,
    next: (answer: Answer) => Answer,
    done: string,
    undo?: ActOf<'history'>,
  ) =>
    void atOnce<Answer>({
      url,
      change: next,
      send: () => sendAct(act),
      done,
      undo: undo && (() => sendAct(undo)),
    });
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) return waitingVideos;
  return (
    <>
      <HistoryControls
        paused={data.paused}
        empty={data.videos.length === 0}
        onPause={(paused) => {
          change(
            { act: 'history', section: paused ? 'pause' : 'resume' },
            (answer) => ({ ...answer, paused }),
            say(paused ? 'paused' : 'resume'),
          );
        }}
        onClear={() => {
          forgetSearches();
          change(
            { act: 'history', section: 'clear' },
            (answer) => ({ ...answer, videos: [], total_count: 0, pages: 0 }),
            say('cleared'),
          );
        }}
      />
      <HistoryList
        videos={data.videos}
        onRemove={(id) => {
          change(
            { act: 'history', section: 'rem', object_id: id },
            (answer) => without(answer, 'videos', ({ video_id }) => video_id === id),
            say('removed'),
            // While the history is paused, nothing can be restored.
            data.paused ? undefined : backFields(data.videos, id),
          );
        }}
      />
      <Pagination page={page} pages={data.pages} href={href} />
    </>
  );
}
