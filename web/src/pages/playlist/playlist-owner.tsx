/** The owner's actions on a playlist: editing, reordering, removing videos, and deleting it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { paths } from '@/shared/address/paths';
import { useRequireLogin } from '@/shared/account/use-require-login';
import { ConfirmButton } from '@/shared/actions/confirm-button';
import { MemberIcon } from '@/ui/member-icons';
import { PlaylistDialog } from '@/shared/actions/playlist-form';
import { useActionText } from '@/i18n/actions';
import { useOptimistic, without } from '@/shared/actions/use-optimistic';
import { List, type Place } from '@/shared/lists/list';
import type { Schema } from '@/api/call';
import type { VideoCard, VideosAnswer } from '@/api/types';
import { playlistQuery } from '@/shared/queries/community';
import { useOpen } from '@/lib/use-open';
import { sendAct } from '@/api/act';
import { toast } from '@/ui/toast';
import { PAGE_SIZE } from '../../../generated/vocabulary';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { fresh, refresh, type Call } from '@/shared/queries/fresh';
import { OrderList } from './order-list';
import { RemoveButton, VideoList, waitingVideos } from '@/shared/lists/removable';
import { moved } from '@/shared/order/reorder';
import { useMemberText } from '@/i18n/member';

interface Props extends Place {
  playlist: Schema<'Playlist'>;
  videos: Call<VideosAnswer>;
}

export default function PlaylistOwner({ playlist, videos, page, href }: Props) {
  const say = useMemberText();
  const act = useActionText();
  const client = useQueryClient();
  const atOnce = useOptimistic();
  const requireLogin = useRequireLogin();
  const [ordering, setOrdering] = useState(false);
  const editor = useOpen();
  const query = fresh(videos);
  const { playlist_id, user_id } = playlist;
  const whole = fresh(playlistQuery(playlist_id));
  // The browser caches the response, which includes the number of videos, for a day.
  useQuery(whole);
  const url = query.queryKey[0] ?? '';
  const own = { act: 'playlist', object_id: playlist_id } as const;
  const addToTotal = (by: number) =>
    client.setQueryData<Schema<'PlaylistAnswer'>>(
      whole.queryKey,
      (known) =>
        known && {
          playlist: { ...known.playlist, total_videos: known.playlist.total_videos + by },
        },
    );
  const remove = ({ video_id: id, title }: VideoCard, index: number) => {
    // Deleted and unfinished videos are listed without a title and are not counted.
    const counted = title ? 1 : 0;
    return atOnce<VideosAnswer>({
      url,
      change: (answer) => without(answer, 'videos', ({ video_id }) => video_id === id),
      send: async () => {
        await sendAct({ ...own, section: 'rem', video_id: id });
        addToTotal(-counted);
      },
      done: say('removed'),
      // Puts the video back in its place.
      undo: async () => {
        const position = (page - 1) * PAGE_SIZE + index + 1;
        await sendAct({ ...own, section: 'add', video_id: id, position });
        addToTotal(counted);
      },
    });
  };
  const move = (cards: VideoCard[], from: number, to: number) => {
    const video = cards[from];
    if (!video || from === to) return;
    const position = (page - 1) * PAGE_SIZE + to + 1;
    void atOnce<VideosAnswer>({
      url,
      change: (answer) => {
        // Other videos may have been removed in the meantime.
        const now = answer.videos.findIndex(({ video_id }) => video_id === video.video_id);
        return { ...answer, videos: moved(answer.videos, now, to) };
      },
      send: () => sendAct({ ...own, section: 'move', video_id: video.video_id, position }),
      done: say('movedTo', { title: video.title, position }),
    });
  };
  const removeAll = () =>
    void requireLogin(async () => {
      await sendAct({ ...own, section: 'del' });
      navigate(paths.memberTab(user_id, 'playlists'));
      await toast(say('didDelete'));
    });
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button look="plain" onClick={editor.open}>
          <MemberIcon name="edit" />
          {act('editPlaylist')}
        </Button>
        <Button
          look="plain"
          onClick={() => {
            setOrdering(!ordering);
          }}
        >
          <Icon name="sort" size={18} />
          {say(ordering ? 'orderDone' : 'order')}
        </Button>
        <ConfirmButton
          label={act('delete')}
          name={say('deleteNamed', { title: playlist.title })}
          onConfirm={removeAll}
        />
      </div>
      <List of="videos" query={query} skeleton={waitingVideos} page={page} href={href}>
        {(cards) =>
          ordering ? (
            <OrderList
              videos={cards}
              onMove={(from, to) => {
                move(cards, from, to);
              }}
            />
          ) : (
            <VideoList
              videos={cards}
              below={(video, index) => (
                <RemoveButton title={video.title} onRemove={() => void remove(video, index)} />
              )}
            />
          )
        }
      </List>
      {editor.isOpen && (
        <PlaylistDialog
          playlist={playlist}
          onCancel={editor.close}
          onDone={async () => {
            // The browser caches the old playlist for a day. Leaving the page would cancel this refresh.
            await refresh(client, playlistQuery(playlist_id));
            editor.close();
            void client.invalidateQueries({ queryKey: query.queryKey });
            // Saving an edit leads to the list of all playlists.
            navigate(paths.memberTab(user_id, 'playlists'));
            await toast(say('saved'));
          }}
        />
      )}
    </>
  );
}
