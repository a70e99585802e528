/** The member's own playlists, 20 at a time. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Schema, Url } from '@/api/call';
import { getJson } from '@/lib/http';

/** SPEC section 9: playlists in add-to. */
const ADD_TO_PAGE = 20;

export type OwnPlaylists = Schema<'OwnPlaylists'>;

export const OWN_PLAYLISTS_KEY = ['own playlists'];

export const ownPlaylistsQuery = infiniteQueryOptions({
  queryKey: OWN_PLAYLISTS_KEY,
  queryFn: ({ pageParam, signal }) =>
    getJson<OwnPlaylists>(
      `/api/member_lists.php?list=playlists&count=${String(ADD_TO_PAGE)}&page=${String(pageParam)}` satisfies Url<'/api/member_lists.php'>,
      signal,
    ),
  initialPageParam: 1,
  getNextPageParam: (last, _pages, page) => (page < last.pages ? page + 1 : undefined),
  staleTime: 0,
});
