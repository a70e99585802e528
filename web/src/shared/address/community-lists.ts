import { words } from '../../../generated/addresses';
import type { CommunityMatch } from './route';

export const ALBUM_SORTS = words.album_sort;
export const PLAYLIST_SORTS = words.playlist_sort;
export const MEMBER_SORTS = words.member_sort;
export const TABS = [
  'uploaded_videos',
  'albums',
  'playlists',
  'wall',
  'friends',
  'subscriptions',
  'info',
] as const;
/** Tabs in the member's own area that nobody else sees. */
export const OWN_TABS = [
  'favourite_videos',
  'watch_later_videos',
  'history',
  'messages',
  'notifications',
] as const;
/** The tabs of the member's own area, in the order in which the page shows them. */
export const AREA = [
  'uploaded_videos',
  'favourite_videos',
  'watch_later_videos',
  'history',
  'playlists',
  'albums',
  'subscriptions',
  'friends',
  'wall',
  'messages',
  'notifications',
  'info',
] as const;
export type AlbumSort = (typeof ALBUM_SORTS)[number];
export type PlaylistSort = (typeof PLAYLIST_SORTS)[number];
export type MemberSort = (typeof MEMBER_SORTS)[number];
export type Tab = (typeof AREA)[number];

export function tabOf({ places }: Extract<CommunityMatch, { screen: 'member' }>): Tab {
  if ('member_page' in places) return places.member_page;
  return 'member_list' in places ? places.member_list : 'uploaded_videos';
}
