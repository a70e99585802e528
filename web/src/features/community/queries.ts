/** The calls of these screens, spelled as the server spells them (`api/src/pages/community.rs`). */
import { bucket, get, type Audience } from '@/api/endpoints';
import type { Ref, VideosAnswer } from '@/api/types';
import { PAGE_SIZE } from '@/search/listing';
import type { AlbumSort, MemberSort, PlaylistSort } from './route';

const DAY_S = 86_400;
const MEMBER_S = 7200;
const MEMBERS_PAGE = 96;

export interface AlbumCard {
  album_id: number;
  dir: string;
  title: string;
  thumb: string;
  thumbsrc: string;
  photos_amount: number;
}
export interface Album extends AlbumCard {
  description: string;
  user: { user_id: number; username: string } | null;
  models: Ref[];
  categories: Ref[];
  /** Width and height of the original, in pixels. */
  photos: { src: string; width: number; height: number }[];
}
export interface Playlist {
  playlist_id: number;
  title: string;
  description: string;
  user_id: number;
  username: string;
  thumb: string;
  total_videos: number;
}
export interface MemberCard {
  user_id: number;
  username: string;
  avatar: string | null;
  /** Years. */
  age: number | null;
  country: string | null;
}
export interface Member extends MemberCard {
  /** RFC 3339. */
  added_date: string;
  about: string | null;
  city: string | null;
  interests: string | null;
  occupation: string | null;
}
export interface Comment {
  comment_id: number;
  user_id: number;
  username: string;
  comment: string;
  added_date: string;
}
export interface Subscription {
  section: string;
  object_id: number;
  dir: string | null;
  title: string;
  thumb: string;
}
export interface AlbumsAnswer {
  albums: AlbumCard[];
  pages: number;
}
export interface PlaylistsAnswer {
  playlists: Playlist[];
  pages: number;
}

const list = <T>(what: string, sort: string, page: number, { gender, lang }: Audience) =>
  get<T>(
    `/api/json/${what}/${String(DAY_S)}/${gender}/${sort}/${String(PAGE_SIZE)}/all..${String(page)}.json?lang=${lang}`,
  );
const single = <T>(what: string, lifetime: number, id: number, rest: string, lang: string) =>
  get<T>(
    `/api/json/${what}/${String(lifetime)}/${bucket(id)}/${String(id)}${rest}.json?lang=${lang}`,
  );
const owned = <T>(what: string, lifetime: number, tail: string, { gender, lang }: Audience) =>
  get<T>(
    `/api/json/${what}/${String(lifetime)}/${gender}/latest-updates/${String(PAGE_SIZE)}/${tail}.json?lang=${lang}`,
  );
const mine = (id: number, page: number) => `member.${String(id)}.${String(page)}`;

export const albumsQuery = (sort: AlbumSort, page: number, who: Audience) =>
  list<AlbumsAnswer>('albums', sort, page, who);
export const playlistsQuery = (sort: PlaylistSort, page: number, who: Audience) =>
  list<PlaylistsAnswer>('playlists', sort, page, who);
export const membersQuery = (sort: MemberSort, pictured: boolean, page: number, lang: string) =>
  get<{ members: MemberCard[]; pages: number }>(
    `/api/json/members/${String(MEMBER_S)}/filt${pictured ? '-avatar~yes' : ''}/${sort}/${String(MEMBERS_PAGE)}/${String(page)}.json?lang=${lang}`,
  );
export const albumQuery = (id: number, lang: string) =>
  single<{ album: Album }>('album', DAY_S, id, '', lang);
export const playlistQuery = (id: number, lang: string) =>
  single<{ playlist: Playlist }>('playlist', DAY_S, id, '', lang);
export const playlistVideosQuery = (id: number, page: number, who: Audience) =>
  owned<VideosAnswer>('videos2', DAY_S, `playlist.${String(id)}.${String(page)}.all.all.all`, who);
export const memberQuery = (id: number, lang: string) =>
  single<{ member: Member }>('member', MEMBER_S, id, '', lang);
export const memberVideosQuery = (id: number, page: number, who: Audience) =>
  owned<VideosAnswer>('videos2', MEMBER_S, `${mine(id, page)}.all.all.all`, who);
export const memberAlbumsQuery = (id: number, page: number, who: Audience) =>
  owned<AlbumsAnswer>('albums', MEMBER_S, mine(id, page), who);
export const memberPlaylistsQuery = (id: number, page: number, who: Audience) =>
  owned<PlaylistsAnswer>('playlists', MEMBER_S, mine(id, page), who);
const numbered = (page: number) => `.${String(page)}`;
export const wallQuery = (id: number, page: number, lang: string) =>
  single<{ comments: Comment[]; pages: number }>('member_wall', MEMBER_S, id, numbered(page), lang);
export const friendsQuery = (id: number, page: number, lang: string) =>
  single<{ friends: MemberCard[]; pages: number }>('friends', MEMBER_S, id, numbered(page), lang);
export const subscriptionsQuery = (id: number, page: number, lang: string) =>
  single<{ subscriptions: Subscription[]; pages: number }>(
    'subscriptions',
    MEMBER_S,
    id,
    numbered(page),
    lang,
  );
