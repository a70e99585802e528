/** Albums, playlists and people in a grid, each with a picture, a name and a note. */
import { Link } from 'wouter';
import { cn } from '@/lib/cn';
import { countryName } from '@/lib/format';
import { writeFilters } from '@/shared/address/member-filters';
import { paths } from '@/shared/address/paths';
import type { AlbumCard, MemberCard, PlaylistCard, Subscription } from '@/shared/queries/community';
import { useT } from '@/i18n';
import { useCommunityText, type CommunityText } from '@/i18n/community';
import { useVisitor } from '@/lib/visitor';
import { List, type ListProps } from '@/shared/lists/list';
import { button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { LangText } from '@/ui/lang-text';

export interface Tile {
  key: string;
  /** The link's target, or null if there is no page. */
  href: string | null;
  title: string;
  /** The title's language, if it is known. */
  lang?: string;
  /** The picture's address, which is empty if there is none. */
  picture: string;
  note: string;
}

export const albumTile = (album: AlbumCard, say: CommunityText): Tile => ({
  key: String(album.album_id),
  href: paths.album(album),
  title: album.title,
  lang: album.title_lang,
  picture: album.thumb,
  note: say('photos', { count: album.photos_amount }),
});
export const playlistTile = (playlist: PlaylistCard, say: CommunityText): Tile => ({
  key: String(playlist.playlist_id),
  href: paths.playlist(playlist.playlist_id),
  title: playlist.title,
  picture: playlist.thumb,
  note: say('videos', { count: playlist.total_videos }),
});
export const aboutMember = ({ age, country }: MemberCard, lang: string): string =>
  [age, country && countryName(country, lang)].filter(Boolean).join(' · ');
export const memberTile = (member: MemberCard, lang: string): Tile => ({
  key: String(member.user_id),
  href: paths.member(member.user_id),
  title: member.username,
  picture: member.avatar ?? '',
  note: aboutMember(member, lang),
});
export const subscriptionTile = (item: Subscription): Tile => ({
  key: `${item.section} ${String(item.object_id)}`,
  href:
    item.section === 'user'
      ? paths.member(item.object_id)
      : item.section === 'model' && item.dir
        ? paths.model(item.dir)
        : null,
  title: item.title,
  picture: item.thumb,
  note: '',
});

type Found<Of extends string, Card> = { pages: number } & Record<Of, Card[]>;
type TileList<Answer, Of extends keyof Answer> = Omit<ListProps<Answer, Of>, 'of' | 'children'>;

export function AlbumList<Answer extends Found<'albums', AlbumCard>>(
  props: TileList<Answer, 'albums'>,
) {
  const say = useCommunityText();
  return (
    <List of="albums" none={say('noAlbums')} {...props}>
      {(albums) => <Tiles tiles={albums.map((album) => albumTile(album, say))} />}
    </List>
  );
}

export function PlaylistList<Answer extends Found<'playlists', PlaylistCard>>(
  props: TileList<Answer, 'playlists'>,
) {
  const say = useCommunityText();
  return (
    <List of="playlists" none={say('noPlaylists')} {...props}>
      {(playlists) => <Tiles wide tiles={playlists.map((item) => playlistTile(item, say))} />}
    </List>
  );
}

/** A member's friends, with a link to a screen that can filter them. */
export function FriendList<Answer extends Found<'friends', MemberCard>>({
  member,
  ...props
}: TileList<Answer, 'friends'> & { member: number }) {
  const t = useT();
  const { lang } = useVisitor();
  return (
    <List of="friends" {...props}>
      {(friends) => (
        <div className="flex flex-col gap-4">
          <Link
            href={`/community/recent/1/${writeFilters({ object_id: String(member) })}`}
            className={cn(button.plain, 'min-h-11 self-start')}
          >
            <Icon name="filter" size={18} />
            {t('filter.title')}
          </Link>
          <Tiles tiles={friends.map((friend) => memberTile(friend, lang))} />
        </div>
      )}
    </List>
  );
}

/** `wide` pictures are 16:9, and others are square. */
export function Tiles({ tiles, wide = false }: { tiles: Tile[]; wide?: boolean }) {
  return (
    <ul className={wide ? 'video-grid' : 'model-grid'}>
      {tiles.map((tile) => (
        <li key={tile.key}>
          <TileCard tile={tile} wide={wide} />
        </li>
      ))}
    </ul>
  );
}

export function TileCard({ tile, wide = false }: { tile: Tile; wide?: boolean }) {
  const { href, title, lang, picture, note } = tile;
  return (
    <article className="group/card relative flex flex-col gap-2">
      <div
        className={cn(
          'grid place-items-center overflow-hidden rounded-card bg-raised text-4xl font-semibold text-muted uppercase',
          wide ? 'aspect-video' : 'aspect-square',
        )}
      >
        {picture ? (
          <img
            src={picture}
            width={320}
            height={wide ? 180 : 320}
            alt=""
            loading="lazy"
            decoding="async"
            className="size-full object-cover transition-transform duration-300 group-hover/card:scale-[1.03]"
          />
        ) : (
          <span aria-hidden="true">{Array.from(title)[0]}</span>
        )}
      </div>
      <div>
        <h3 className="line-clamp-2 text-sm leading-5 font-medium">
          {href ? (
            <Link
              href={href}
              className="after:absolute after:inset-0 after:content-[''] group-hover/card:text-accent"
            >
              <LangText lang={lang}>{title}</LangText>
            </Link>
          ) : (
            title
          )}
        </h3>
        <p className="truncate text-xs leading-5 text-muted">{note}</p>
      </div>
    </article>
  );
}
