/** The member's own playlists, loaded 20 at a time. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Schema } from '@/api/call';
import { fetchPart } from '@/shared/queries/own-lists';

const ADD_TO_PAGE = 20;

export type OwnPlaylists = Schema<'OwnPlaylists'>;

export const OWN_PLAYLISTS_KEY = ['own playlists'];

export const ownPlaylistsQuery = infiniteQueryOptions({
  queryKey: OWN_PLAYLISTS_KEY,
  queryFn: ({ pageParam: page, signal }) =>
    fetchPart('playlists', { count: ADD_TO_PAGE, page }, signal),
  initialPageParam: 1,
  getNextPageParam: (last, _pages, page) => (page < last.pages ? page + 1 : undefined),
  staleTime: 0,
});
