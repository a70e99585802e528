/** The calls of these screens, spelled as the server spells them (`api/src/pages/community.rs`). */
import type { Schema } from '@/api/call';
import { bucket, get, type Audience } from '@/api/endpoints';
import { PAGE_SIZE } from '@/search/listing';
import { filterSegment, type MemberFilters } from '@/shared/address/member-filters';
import type { AlbumSort, MemberSort, PlaylistSort } from '@/shared/address/community-route';

const DAY_S = 86_400;
const MEMBER_S = 7200;
const MEMBERS_PAGE = 96;
const ALL_VIDEOS = 'all.all.all';
type Videos =
  '/api/json/videos2/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.{type}.{duration}.{date}.json';
type Albums =
  '/api/json/albums/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json';
type Playlists =
  '/api/json/playlists/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.json';
type Lang = Audience['lang'];

export type AlbumCard = Schema<'AlbumCard'>;
export type Album = Schema<'Album'>;
export type PlaylistCard = Schema<'PlaylistCard'>;
export type MemberCard = Schema<'MemberCard'>;
export type Member = Schema<'Member'>;
export type MembersAnswer = Schema<'MembersAnswer'>;
export type Subscription = Schema<'Subscription'>;

const all = (gender: string, sort: string, page: number) =>
  `${String(DAY_S)}/${gender}/${sort}/${String(PAGE_SIZE)}/all..${String(page)}` as const;
const mine = (gender: string, id: number, page: number) =>
  `${String(MEMBER_S)}/${gender}/latest-updates/${String(PAGE_SIZE)}/member.${String(id)}.${String(page)}` as const;
const single = (lifetime: number, id: number) =>
  `${String(lifetime)}/${bucket(id)}/${String(id)}` as const;

export const albumsQuery = (sort: AlbumSort, page: number, { gender, lang }: Audience) =>
  get<Albums>(`/api/json/albums/${all(gender, sort, page)}.json?lang=${lang}`);
export const playlistsQuery = (sort: PlaylistSort, page: number, { gender }: Audience) =>
  get<Playlists>(`/api/json/playlists/${all(gender, sort, page)}.json`);
export const membersQuery = (sort: MemberSort, filters: MemberFilters, page: number, lang: Lang) =>
  get<'/api/json/members/{lifetime}/filt{filters}/{sort}/{count}/{page}.json'>(
    `/api/json/members/${String(MEMBER_S)}/filt${filterSegment(filters)}/${sort}/${String(MEMBERS_PAGE)}/${String(page)}.json?lang=${lang}`,
  );
export const albumQuery = (id: number, lang: Lang) =>
  get<'/api/json/album/{lifetime}/{bucket}/{album_id}.json'>(
    `/api/json/album/${single(DAY_S, id)}.json?lang=${lang}`,
  );
export const playlistQuery = (id: number) =>
  get<'/api/json/playlist/{lifetime}/{bucket}/{playlist_id}.json'>(
    `/api/json/playlist/${single(DAY_S, id)}.json`,
  );
export const playlistVideosQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get<Videos>(
    `/api/json/videos2/${String(DAY_S)}/${gender}/latest-updates/${String(PAGE_SIZE)}/playlist.${String(id)}.${String(page)}.${ALL_VIDEOS}.json?lang=${lang}`,
  );
export const memberQuery = (id: number) =>
  get<'/api/json/member/{lifetime}/{bucket}/{member_id}.json'>(
    `/api/json/member/${single(MEMBER_S, id)}.json`,
  );
export const memberVideosQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get<Videos>(`/api/json/videos2/${mine(gender, id, page)}.${ALL_VIDEOS}.json?lang=${lang}`);
export const memberAlbumsQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get<Albums>(`/api/json/albums/${mine(gender, id, page)}.json?lang=${lang}`);
export const memberPlaylistsQuery = (id: number, page: number, { gender }: Audience) =>
  get<Playlists>(`/api/json/playlists/${mine(gender, id, page)}.json`);
export const wallQuery = (id: number, page: number) =>
  get<'/api/json/member_wall/{lifetime}/{bucket}/{member_id}.{page}.json'>(
    `/api/json/member_wall/${single(MEMBER_S, id)}.${String(page)}.json`,
  );
export const friendsQuery = (id: number, page: number) =>
  get<'/api/json/friends/{lifetime}/{bucket}/{member_id}.{page}.json'>(
    `/api/json/friends/${single(MEMBER_S, id)}.${String(page)}.json`,
  );
export const subscriptionsQuery = (id: number, page: number) =>
  get<'/api/json/subscriptions/{lifetime}/{bucket}/{member_id}.{page}.json'>(
    `/api/json/subscriptions/${single(MEMBER_S, id)}.${String(page)}.json`,
  );
