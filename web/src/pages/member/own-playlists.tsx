/** The member's own playlists, including private ones, which can be created, edited and deleted. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { ConfirmButton, SmallButton } from '@/shared/actions/confirm-button';
import { MemberIcon } from '@/ui/member-icons';
import { PlaylistDialog } from '@/shared/actions/playlist-form';
import { useActionText } from '@/i18n/actions';
import { useOptimistic, without } from '@/shared/actions/use-optimistic';
import { playlistTile, TileCard } from '@/shared/cards/tiles';
import { playlistQuery } from '@/shared/queries/community';
import { useCommunityText } from '@/i18n/community';
import { sendAct } from '@/api/act';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { refresh } from '@/shared/queries/fresh';
import { listQuery, listUrl, type ListAnswer } from '@/shared/queries/own-lists';
import { List, type Place } from '@/shared/lists/list';
import { waitingTiles } from '@/shared/lists/removable';
import { useMemberText } from '@/i18n/member';

type Answer = ListAnswer<'playlists'>;
type Playlist = Answer['playlists'][number];

export function OwnPlaylists({ page, href }: Place) {
  const say = useMemberText();
  const act = useActionText();
  const community = useCommunityText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const atOnce = useOptimistic();
  const [edited, setEdited] = useState<Playlist | 'new' | null>(null);
  const url = listUrl('playlists', page, lang);
  const close = () => {
    setEdited(null);
  };
  const remove = ({ playlist_id }: Playlist) =>
    void atOnce<Answer>({
      url,
      change: (answer) =>
        without(answer, 'playlists', (other) => other.playlist_id === playlist_id),
      send: () => sendAct({ act: 'playlist', section: 'del', object_id: playlist_id }),
      done: say('didDelete'),
    });
  const below = (playlist: Playlist) => (
    <div className="-ms-2 flex min-h-8 flex-wrap items-center gap-x-1">
      {playlist.private === 0 && (
        <span className="inline-flex items-center gap-1 px-2 text-xs font-semibold text-muted">
          <Icon name="lock" size={14} />
          {act('private')}
        </span>
      )}
      <SmallButton
        aria-label={say('editNamed', { title: playlist.title })}
        onClick={() => {
          setEdited(playlist);
        }}
      >
        <MemberIcon name="edit" size={14} />
        {say('edit')}
      </SmallButton>
      <ConfirmButton
        label={act('delete')}
        name={say('deleteNamed', { title: playlist.title })}
        onConfirm={() => {
          remove(playlist);
        }}
      />
    </div>
  );
  return (
    <div className="flex flex-col gap-5">
      <div>
        <Button
          look="plain"
          onClick={() => {
            setEdited('new');
          }}
        >
          <MemberIcon name="add" />
          {act('newPlaylist')}
        </Button>
      </div>
      <List
        of="playlists"
        query={listQuery('playlists', page, lang)}
        none={act('noPlaylists')}
        skeleton={waitingTiles}
        page={page}
        href={href}
      >
        {(playlists) => (
          <ul className="video-grid">
            {playlists.map((playlist) => (
              <li key={playlist.playlist_id}>
                <TileCard wide tile={playlistTile(playlist, community)} />
                {below(playlist)}
              </li>
            ))}
          </ul>
        )}
      </List>
      {edited && (
        <PlaylistDialog
          playlist={edited === 'new' ? undefined : edited}
          onCancel={close}
          onDone={async ({ title }) => {
            close();
            void client.invalidateQueries({ queryKey: [url] });
            // A new playlist is listed first.
            if (page > 1) navigate(href(1));
            if (edited !== 'new') {
              void refresh(client, playlistQuery(edited.playlist_id));
            }
            await toast(edited === 'new' ? act('didMake', { title }) : say('saved'));
          }}
        />
      )}
    </div>
  );
}
