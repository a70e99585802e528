/** Lists the member's playlists, which are checked if they contain the video. The dialog can also create a new one. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { navigate } from 'wouter/use-browser-location';
import { paths } from '@/shared/address/paths';
import { useOpen } from '@/lib/use-open';
import { useMe } from '@/shared/account/use-me';
import { toast } from '@/ui/toast';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { LoadError } from '@/ui/problem';
import Sheet from '@/ui/sheet';
import { ShowMore } from '@/ui/show-more';
import { MemberIcon } from '@/ui/member-icons';
import { memberStateQuery } from './member-state';
import { OWN_PLAYLISTS_KEY, ownPlaylistsQuery } from './own-playlists';
import { PlaylistForm, type PlaylistFields } from './playlist-form';
import { useActionText } from '@/i18n/actions';
import { useAct } from './use-act';

/** Placeholder rows while the list loads. */
const SKELETONS = 4;

interface Props {
  videoId: number;
  onClose: () => void;
}

export default function AddToDialog({ videoId, onClose }: Props) {
  const say = useActionText();
  const form = useOpen();
  const client = useQueryClient();
  const me = useMe();
  const made = async ({ title }: PlaylistFields) => {
    onClose();
    void client.invalidateQueries({ queryKey: OWN_PLAYLISTS_KEY });
    void client.invalidateQueries({ queryKey: memberStateQuery('video', videoId).queryKey });
    // Creating a playlist leads to the list of all playlists.
    if (me) navigate(paths.memberTab(me.user_id, 'playlists'));
    await toast(say('didAdd', { title }));
  };
  return (
    <Sheet
      title={say('addTo')}
      place="center"
      onClose={onClose}
      footer={
        !form.isOpen && (
          <Button look="plain" className="w-full" onClick={form.open}>
            <MemberIcon name="add" />
            {say('newPlaylist')}
          </Button>
        )
      }
    >
      {form.isOpen ? (
        <PlaylistForm videoId={videoId} onDone={made} onCancel={form.close} />
      ) : (
        <Choices videoId={videoId} />
      )}
    </Sheet>
  );
}

function Choices({ videoId }: { videoId: number }) {
  const say = useActionText();
  const lists = useInfiniteQuery(ownPlaylistsQuery);
  const state = useQuery(memberStateQuery('video', videoId));
  const act = useAct('video', videoId);
  const failed = [lists, state].find(({ data, error }) => error && !data);
  if (failed?.error) {
    return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  // Without both responses, a list that contains the video would appear unchecked.
  if (!lists.data || !state.data) {
    return (
      <div aria-busy="true" className="flex flex-col gap-2">
        {Array.from({ length: SKELETONS }, (_, index) => (
          <span key={index} className="skeleton h-11 rounded-control" />
        ))}
      </div>
    );
  }
  const holding = state.data.playlists;
  const playlists = lists.data.pages.flatMap((page) => page.playlists);
  const fields = (section: 'add' | 'rem', playlist: number) => ({
    act: 'playlist' as const,
    section,
    object_id: playlist,
    video_id: videoId,
  });
  if (playlists.length === 0) {
    return <p className="py-6 text-center text-sm text-muted">{say('noPlaylists')}</p>;
  }
  return (
    <>
      <ul className="-mx-2">
        {playlists.map(({ playlist_id, title, total_videos, private: visible }) => {
          const inside = holding.includes(playlist_id);
          return (
            <li key={playlist_id}>
              <label className="flex min-h-11 items-center gap-3 rounded-control px-2 text-sm hover:bg-raised">
                <input
                  type="checkbox"
                  checked={inside}
                  className="size-4 shrink-0"
                  onChange={() =>
                    void act({
                      fields: fields(inside ? 'rem' : 'add', playlist_id),
                      change: {},
                      done: say(inside ? 'didRemove' : 'didAdd', { title }),
                      undo: inside ? fields('add', playlist_id) : undefined,
                    })
                  }
                />
                <span className="min-w-0 flex-1 truncate">{title}</span>
                {visible === 0 && (
                  <span className="text-muted" title={say('private')}>
                    <Icon name="lock" size={16} />
                    <span className="sr-only">{say('private')}</span>
                  </span>
                )}
                <span className="text-xs text-muted tabular-nums">
                  {say('videos', { count: total_videos })}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      <ShowMore list={lists} label={say('loadMore')} className="mt-3 w-full" />
    </>
  );
}
