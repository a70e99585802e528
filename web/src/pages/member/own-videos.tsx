/** The lists of favorites and of videos to watch later. */
import { useOptimistic, without } from '@/shared/actions/use-optimistic';
import { sendAct } from '@/api/act';
import { useVisitor } from '@/lib/visitor';
import { listQuery, listUrl, type ListAnswer } from '@/shared/queries/own-lists';
import { List, type Place } from '@/shared/lists/list';
import { RemoveButton, VideoList, waitingVideos } from '@/shared/lists/removable';
import { useMemberText } from '@/i18n/member';

const LISTS = {
  favourite_videos: { act: 'favourite', none: 'noFavourites' },
  watch_later_videos: { act: 'watch_later', none: 'noLater' },
} as const;
type Name = keyof typeof LISTS;

export function OwnVideos({ list, page, href }: { list: Name } & Place) {
  const say = useMemberText();
  const { lang } = useVisitor();
  const atOnce = useOptimistic();
  const { act, none } = LISTS[list];
  const remove = (id: number) =>
    atOnce<ListAnswer<Name>>({
      url: listUrl(list, page, lang),
      change: (answer) => without(answer, 'videos', ({ video_id }) => video_id === id),
      send: () => sendAct({ act, section: 'rem', object_id: id }),
      done: say('removed'),
      undo: () => sendAct({ act, section: 'add', object_id: id }),
    });
  return (
    <List
      of="videos"
      query={listQuery(list, page, lang)}
      none={say(none)}
      skeleton={waitingVideos}
      page={page}
      href={href}
    >
      {(videos) => (
        <VideoList
          videos={videos}
          below={({ video_id, title }) => (
            <RemoveButton title={title} onRemove={() => void remove(video_id)} />
          )}
        />
      )}
    </List>
  );
}
