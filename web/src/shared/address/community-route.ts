/** Which screen of the community an address shows. Pure; the server has the same table (`api/src/page/community.rs`). */
import { isId } from './route';
import { isOneOf } from '@/lib/one-of';
import { parsePage, segmentsOf } from '@/search/codec';
import { readFilters, type MemberFilters } from './member-filters';

export const ALBUM_SORTS = [
  'latest-updates',
  'most-popular',
  'top-rated',
  'most-viewed',
  'most-commented',
] as const;
export const PLAYLIST_SORTS = [
  'most-popular',
  'latest-updates',
  'top-rated',
  'most-viewed',
  'count-videos',
] as const;
export const MEMBER_SORTS = [
  'recent',
  'most-viewed',
  'alphabet',
  'count-videos',
  'most-popular',
] as const;
export const TABS = [
  'uploaded_videos',
  'albums',
  'playlists',
  'wall',
  'friends',
  'subscriptions',
  'info',
] as const;
/** What only the member sees of the own area. */
export const OWN_TABS = ['favourite_videos', 'watch_later_videos', 'history', 'messages'] as const;
/** The member's own area in the order of its page. */
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
  'info',
] as const;
export type AlbumSort = (typeof ALBUM_SORTS)[number];
export type PlaylistSort = (typeof PLAYLIST_SORTS)[number];
export type MemberSort = (typeof MEMBER_SORTS)[number];
export type PublicTab = (typeof TABS)[number];
export type Tab = (typeof AREA)[number];

export type CommunityRoute =
  | { page: 'redirect'; to: string }
  | { page: 'not-found' }
  | { page: 'albums'; sort: AlbumSort; number: number }
  | { page: 'album'; id: number }
  | { page: 'playlists'; sort: PlaylistSort; number: number }
  | { page: 'playlist'; id: number; number: number }
  | { page: 'members'; sort: MemberSort; number: number; filters: MemberFilters }
  | { page: 'member'; id: number; tab: Tab; number: number }
  | { page: 'history'; number: number };

/** Tabs of one page have no number in their address. */
const SINGLE: readonly string[] = ['subscriptions', 'messages', 'info'];
const NOT_FOUND: CommunityRoute = { page: 'not-found' };
const to = (path: string): CommunityRoute => ({ page: 'redirect', to: path });

/** `/{root}/{sort}/{page}/` with its shorter forms. */
function sorted<Sort extends string>(
  [sort, number, ...more]: string[],
  {
    root,
    sorts,
    usual,
    search,
  }: { root: string; sorts: readonly Sort[]; usual: Sort; search: string },
  show: (sort: Sort, number: number) => CommunityRoute,
): CommunityRoute {
  if (sort === undefined) return to(`/${root}/${usual}/1/${search}`);
  if (!isOneOf(sorts, sort) || more.length > 0) return NOT_FOUND;
  if (number === undefined) return to(`/${root}/${sort}/1/${search}`);
  const page = parsePage(number);
  return page === null ? NOT_FOUND : show(sort, page);
}

function member([id, tab, number, ...more]: string[], search: string): CommunityRoute {
  if (!isId(id) || more.length > 0) return NOT_FOUND;
  const shown = (name: Tab, page: number): CommunityRoute => ({
    page: 'member',
    id: Number(id),
    tab: name,
    number: page,
  });
  if (tab === undefined) return shown('uploaded_videos', 1);
  if (!isOneOf(AREA, tab)) return NOT_FOUND;
  if (SINGLE.includes(tab)) {
    if (number === undefined) return shown(tab, 1);
    return tab === 'messages' && number === '1'
      ? to(`/members/${id}/messages/${search}`)
      : NOT_FOUND;
  }
  if (number === undefined) return to(`/members/${id}/${tab}/1/${search}`);
  const page = parsePage(number);
  return page === null ? NOT_FOUND : shown(tab, page);
}

function albums(rest: string[], search: string): CommunityRoute {
  const [first, dir] = rest;
  if (first === 'categories') return to('/albums/latest-updates/1/');
  if (isId(first) && rest.length <= 2) {
    return to(`/album/${first}/${dir === undefined ? '' : `${encodeURIComponent(dir)}/`}${search}`);
  }
  const list = { root: 'albums', sorts: ALBUM_SORTS, usual: 'latest-updates', search } as const;
  return sorted<AlbumSort>(rest, list, (sort, number) => ({ page: 'albums', sort, number }));
}

function playlist([id, number, ...more]: string[], search: string): CommunityRoute {
  if (!isId(id) || more.length > 0) return NOT_FOUND;
  if (number === undefined) return to(`/playlist/${id}/1/${search}`);
  const page = parsePage(number);
  return page === null ? NOT_FOUND : { page: 'playlist', id: Number(id), number: page };
}

/** `/videos/history/{page}/`: a guest's own, kept in the browser. */
function history([number, ...more]: string[], search: string): CommunityRoute {
  if (more.length > 0) return NOT_FOUND;
  if (number === undefined) return to(`/videos/history/1/${search}`);
  const page = parsePage(number);
  return page === null ? NOT_FOUND : { page: 'history', number: page };
}

export function resolveCommunity(pathname: string, search: string): CommunityRoute {
  const [root, ...rest] = segmentsOf(pathname);
  switch (root) {
    case 'albums':
      return albums(rest, search);
    case 'album':
      return isId(rest[0]) && rest.length <= 2 ? { page: 'album', id: Number(rest[0]) } : NOT_FOUND;
    case 'playlists': {
      const list = { root, sorts: PLAYLIST_SORTS, usual: 'most-popular', search } as const;
      return sorted<PlaylistSort>(rest, list, (sort, number) => ({ page: root, sort, number }));
    }
    case 'playlist':
      return playlist(rest, search);
    case 'community': {
      const list = { root, sorts: MEMBER_SORTS, usual: 'recent', search } as const;
      const filters = readFilters(search);
      return sorted<MemberSort>(rest, list, (sort, number) => ({
        page: 'members',
        sort,
        number,
        filters,
      }));
    }
    case 'members':
      return member(rest, search);
    case 'videos':
      return history(rest.slice(1), search);
    default:
      // Uploading and editing are for members; any other viewer is led home.
      return rest.length === 0 ? to('/') : NOT_FOUND;
  }
}
