/** An own album as its form shows it, and what albums may hold. */
import { queryOptions } from '@tanstack/react-query';
import { get } from '@/api/client';

export const ownQuery = (album_id: number) =>
  queryOptions({
    ...get('/api/album_edit.php', { album_id }),
    staleTime: 0,
    // A form begins with what is true now.
    gcTime: 0,
  });

export const limitsQuery = queryOptions({
  ...get('/api/album_edit.php', {}),
  select: ({ limits }) => limits,
});
