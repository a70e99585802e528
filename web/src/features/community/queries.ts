/** The calls of these screens, spelled as the server spells them (`api/src/pages/community.rs`). */
import { VIDEOS, type Schema } from '@/api/call';
import { bucket, get, type Audience } from '@/api/endpoints';
import { PAGE_SIZE } from '@/search/listing';
import type { AlbumSort, MemberSort, PlaylistSort } from './route';

const DAY_S = 86_400;
const MEMBER_S = 7200;
const MEMBERS_PAGE = 96;
const ALBUMS =
  '/api/json/albums/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json';
const PLAYLISTS =
  '/api/json/playlists/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json';

export type AlbumCard = Schema<'AlbumCard'>;
export type Album = Schema<'Album'>;
export type PlaylistCard = Schema<'PlaylistCard'>;
export type MemberCard = Schema<'MemberCard'>;
export type Member = Schema<'Member'>;
export type Comment = Schema<'Comment'>;
export type Subscription = Schema<'Subscription'>;

const everything = (page: number) =>
  ({ lifetime: DAY_S, count: PAGE_SIZE, section: 'all', object_id: '', page }) as const;
const mine = (id: number, page: number) =>
  ({
    lifetime: MEMBER_S,
    sort: 'latest-updates',
    count: PAGE_SIZE,
    section: 'member',
    object_id: String(id),
    page,
  }) as const;
const single = (id: number) => ({ lifetime: MEMBER_S, bucket: bucket(id), member_id: id }) as const;
const allVideos = { type: 'all', duration: 'all', date: 'all' } as const;

export const albumsQuery = (sort: AlbumSort, page: number, { gender, lang }: Audience) =>
  get(ALBUMS, { path: { ...everything(page), gender, sort }, query: { lang } });
export const playlistsQuery = (sort: PlaylistSort, page: number, { gender }: Audience) =>
  get(PLAYLISTS, { path: { ...everything(page), gender, sort } });
export const membersQuery = (
  sort: MemberSort,
  pictured: boolean,
  page: number,
  lang: Audience['lang'],
) =>
  get('/api/json/members/{lifetime}/filt{filters}/{sort}/{count}/{page}.json', {
    path: {
      ...{ lifetime: MEMBER_S, filters: pictured ? '-avatar~yes' : '' },
      ...{ sort, count: MEMBERS_PAGE, page },
    },
    query: { lang },
  });
export const albumQuery = (id: number, lang: Audience['lang']) =>
  get('/api/json/album/{lifetime}/{bucket}/{album_id}.json', {
    path: { lifetime: DAY_S, bucket: bucket(id), album_id: id },
    query: { lang },
  });
export const playlistQuery = (id: number) =>
  get('/api/json/playlist/{lifetime}/{bucket}/{playlist_id}.json', {
    path: { lifetime: DAY_S, bucket: bucket(id), playlist_id: id },
  });
export const playlistVideosQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get(VIDEOS, {
    path: {
      ...{ lifetime: DAY_S, gender, sort: 'latest-updates', count: PAGE_SIZE },
      ...{ section: 'playlist', object_id: String(id), page },
      ...allVideos,
    },
    query: { lang },
  });
export const memberQuery = (id: number) =>
  get('/api/json/member/{lifetime}/{bucket}/{member_id}.json', { path: single(id) });
export const memberVideosQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get(VIDEOS, { path: { ...mine(id, page), ...allVideos, gender }, query: { lang } });
export const memberAlbumsQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get(ALBUMS, { path: { ...mine(id, page), gender }, query: { lang } });
export const memberPlaylistsQuery = (id: number, page: number, { gender }: Audience) =>
  get(PLAYLISTS, { path: { ...mine(id, page), gender } });
export const wallQuery = (id: number, page: number) =>
  get('/api/json/member_wall/{lifetime}/{bucket}/{member_id}.{page}.json', {
    path: { ...single(id), page },
  });
export const friendsQuery = (id: number, page: number) =>
  get('/api/json/friends/{lifetime}/{bucket}/{member_id}.{page}.json', {
    path: { ...single(id), page },
  });
export const subscriptionsQuery = (id: number, page: number) =>
  get('/api/json/subscriptions/{lifetime}/{bucket}/{member_id}.{page}.json', {
    path: { ...single(id), page },
  });
