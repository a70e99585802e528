/** The current member. A page sent to a guest includes the answer, so guests make no request. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Path, Schema } from '@/api/call';
import { getJson } from '@/lib/http';
import { sent } from '@/lib/sent';
import { createStore } from '@/lib/store';

export type Me = Schema<'OwnUser'>;

/** The page already has the other fields. */
type MeAnswer = Pick<Schema<'Me'>, 'user'>;

const URL = '/api/me.php' satisfies Path;

export const meQuery = queryOptions({
  queryKey: [URL],
  queryFn: ({ signal }) => getJson<MeAnswer>(URL, signal),
  // Login and logout reload the page or refetch, so this is valid while the page is open.
  ...(sent().guest && { initialData: { user: null } }),
  // New messages may arrive in the background; guests get none.
  refetchOnWindowFocus: ({ state }) => state.data?.user != null,
});

/** The logged-in member, `null` for a guest, `undefined` while loading. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data?.user;
}

/** Whether the member is logging out: no new requests for them then. */
export const leaving = createStore(false);
