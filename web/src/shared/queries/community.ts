/** Calls for these screens, in the server's spelling (`site/src/calls.rs`). */
import type { Schema } from '@/api/call';
import { get } from '@/api/client';
import { bucket, type Audience } from '@/api/endpoints';
import { LARGEST_PAGE, PAGE_SIZE, calls, lifetimes } from '../../../generated/vocabulary';
import { placed, readChoices } from '@/search/listing';
import { filterSegment, type MemberFilters } from '@/shared/address/member-filters';
import type { AlbumSort, MemberSort, PlaylistSort } from '@/shared/address/community-lists';

type Lang = Audience['lang'];
type Gender = Audience['gender'];

export type AlbumCard = Schema<'AlbumCard'>;
export type PlaylistCard = Schema<'PlaylistCard'>;
export type MemberCard = Schema<'MemberCard'>;
export type Member = Schema<'Member'>;
export type MembersAnswer = Schema<'MembersAnswer'>;
export type Subscription = Schema<'Subscription'>;

/** Filters nothing. */
const WHOLE = placed(readChoices(() => null)).path;
const ALL = {
  lifetime: lifetimes.DEFAULT,
  count: PAGE_SIZE,
  section: 'all',
  object_id: '',
} as const;
const mine = (id: number, page: number, gender: Gender) =>
  ({
    lifetime: lifetimes.MEMBER,
    gender,
    sort: 'latest-updates',
    count: PAGE_SIZE,
    section: 'member',
    object_id: String(id),
    page,
  }) as const;
const member = (id: number) =>
  ({ lifetime: lifetimes.MEMBER, bucket: bucket(id), member_id: id }) as const;

export const albumsQuery = (sort: AlbumSort, page: number, { gender, lang }: Audience) =>
  get(calls.ALBUMS, { ...ALL, gender, sort, page, lang });
export const playlistsQuery = (sort: PlaylistSort, page: number, { gender }: Audience) =>
  get(calls.PLAYLISTS, { ...ALL, gender, sort, page });
export const membersQuery = (sort: MemberSort, filters: MemberFilters, page: number, lang: Lang) =>
  get(calls.MEMBERS, {
    lifetime: lifetimes.MEMBER,
    filters: filterSegment(filters),
    sort,
    count: LARGEST_PAGE,
    page,
    lang,
  });
export const albumQuery = (id: number, lang: Lang) =>
  get('/api/json/album/{lifetime}/{bucket}/{album_id}.json', {
    lifetime: lifetimes.DEFAULT,
    bucket: bucket(id),
    album_id: id,
    lang,
  });
export const playlistQuery = (id: number) =>
  get('/api/json/playlist/{lifetime}/{bucket}/{playlist_id}.json', {
    lifetime: lifetimes.DEFAULT,
    bucket: bucket(id),
    playlist_id: id,
  });
export const playlistVideosQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get(calls.VIDEOS, {
    ...mine(id, page, gender),
    lifetime: lifetimes.DEFAULT,
    section: 'playlist',
    ...WHOLE,
    lang,
  });
export const memberQuery = (id: number) =>
  get('/api/json/member/{lifetime}/{bucket}/{member_id}.json', member(id));
export const memberVideosQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get(calls.VIDEOS, { ...mine(id, page, gender), ...WHOLE, lang });
export const memberAlbumsQuery = (id: number, page: number, { gender, lang }: Audience) =>
  get(calls.ALBUMS, { ...mine(id, page, gender), lang });
export const memberPlaylistsQuery = (id: number, page: number, { gender }: Audience) =>
  get(calls.PLAYLISTS, mine(id, page, gender));
export const friendsQuery = (id: number, page: number) =>
  get('/api/json/friends/{lifetime}/{bucket}/{member_id}.{page}.json', { ...member(id), page });
export const subscriptionsQuery = (id: number, page: number, lang: Lang) =>
  get('/api/json/subscriptions/{lifetime}/{bucket}/{member_id}.{page}.json', {
    ...member(id),
    page,
    lang,
  });
