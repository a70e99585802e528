/** Requests a member's own album for its form, and the limits for albums. */
import { queryOptions } from '@tanstack/react-query';
import { get } from '@/api/client';

export const ownQuery = (album_id: number) =>
  queryOptions({
    ...get('/api/album_edit.php', { album_id }),
    staleTime: 0,
    // A form must start from current data.
    gcTime: 0,
  });

export const limitsQuery = queryOptions({
  ...get('/api/album_edit.php', {}),
  select: ({ limits }) => limits,
});
