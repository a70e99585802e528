/** The member's own playlists, 20 at a time. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Schema } from '@/api/call';
import { fetchAnswer } from '@/api/client';

const ADD_TO_PAGE = 20;

export type OwnPlaylists = Schema<'OwnPlaylists'>;

export const OWN_PLAYLISTS_KEY = ['own playlists'];

export const ownPlaylistsQuery = infiniteQueryOptions({
  queryKey: OWN_PLAYLISTS_KEY,
  queryFn: ({ pageParam: page, signal }) =>
    fetchAnswer<'/api/member_lists.php', OwnPlaylists>(
      '/api/member_lists.php',
      { list: 'playlists', count: ADD_TO_PAGE, page },
      signal,
    ),
  initialPageParam: 1,
  getNextPageParam: (last, _pages, page) => (page < last.pages ? page + 1 : undefined),
  staleTime: 0,
});
