/** The member's own albums, each with its state. */
import { Link } from 'wouter';
import { post } from '@/api/client';
import type { MemberStatus } from '@/api/status';
import { useAlbumText } from '@/i18n/album';
import { useCommunityText } from '@/i18n/community';
import { useErrorText } from '@/i18n/errors';
import { useVisitor } from '@/lib/visitor';
import { ConfirmButton, smallLook } from '@/shared/actions/confirm-button';
import { useOptimistic, without } from '@/shared/actions/use-optimistic';
import { albumTile, TileCard } from '@/shared/cards/tiles';
import { List, type Place } from '@/shared/lists/list';
import { waitingTiles } from '@/shared/lists/removable';
import { listQuery, listUrl, type ListAnswer } from '@/shared/queries/own-lists';
import { MemberIcon } from '@/ui/member-icons';
import { albumState, mayDelete } from './state';
import { StateLine } from './state-line';

type Answer = ListAnswer<'albums'>;
type Album = Answer['albums'][number];

/** Moderation takes time, so the interval for polling is long. */
const ASK_MS = 30_000;

const query = (page: number, lang: Parameters<typeof listQuery>[2]) => ({
  ...listQuery('albums', page, lang),
  refetchOnWindowFocus: true,
  refetchInterval: ({ state }: { state: { data: Answer | undefined } }) =>
    state.data?.albums.some((album) => albumState(album) === 'moderation') ? ASK_MS : false,
});

/** `statusId` is the member's status. */
export function OwnAlbums({ statusId, page, href }: { statusId: MemberStatus } & Place) {
  const say = useAlbumText();
  const community = useCommunityText();
  const textOf = useErrorText();
  const { lang } = useVisitor();
  const atOnce = useOptimistic();
  const remove = ({ album_id }: Album) =>
    void atOnce<Answer>({
      url: listUrl('albums', page, lang),
      change: (answer) => without(answer, 'albums', (other) => other.album_id === album_id),
      send: () => post('/api/album_edit.php', { album_id, act: '2' }),
      done: say('didDelete'),
    });
  const below = (album: Album) => {
    const { title, reason } = album;
    const state = albumState(album);
    const edit = say(state === 'draft' ? 'finish' : 'edit');
    return (
      <>
        <StateLine state={state} />
        {state === 'rejected' && reason && (
          <p className="text-xs text-pretty">{textOf({ code: `rejected_${reason}` })}</p>
        )}
        <div className="-ms-2 flex flex-wrap items-center">
          <Link
            href={`/edit/?album_id=${String(album.album_id)}`}
            aria-label={`${edit}: ${title}`}
            className={smallLook}
          >
            <MemberIcon name="edit" size={14} />
            {edit}
          </Link>
          {mayDelete(album, statusId) && (
            <ConfirmButton
              label={say('delete')}
              name={`${say('delete')}: ${title}`}
              onConfirm={() => {
                remove(album);
              }}
            />
          )}
        </div>
      </>
    );
  };
  return (
    <List
      of="albums"
      query={query(page, lang)}
      none={say('none')}
      skeleton={waitingTiles}
      page={page}
      href={href}
    >
      {(albums) => (
        <ul className="model-grid">
          {albums.map((album) => {
            const tile = albumTile(album, community);
            const isShown = albumState(album) === 'published';
            return (
              <li key={album.album_id} className="flex flex-col gap-1">
                <TileCard tile={isShown ? tile : { ...tile, href: null }} />
                {below(album)}
              </li>
            );
          })}
        </ul>
      )}
    </List>
  );
}
