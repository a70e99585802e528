/** The current member. A page sent to a guest already says that there is none, so guests make no request. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Path, Schema } from '@/api/call';
import { getJson } from '@/lib/http';
import { sent } from '@/lib/sent';
import { createStore } from '@/lib/store';

export type Me = Schema<'OwnUser'>;

/** The page already contains the other fields. */
type MeAnswer = Pick<Schema<'Me'>, 'user'>;

const URL = '/api/me.php' satisfies Path;

export const meQuery = queryOptions({
  queryKey: [URL],
  queryFn: ({ signal }) => getJson<MeAnswer>(URL, signal),
  // Login and logout reload the page or refetch, so this stays valid while the page is open.
  ...(sent().guest && { initialData: { user: null } }),
  // New messages may arrive in the background, but guests get none.
  refetchOnWindowFocus: ({ state }) => state.data?.user != null,
});

/** Returns the logged-in member, `null` for a guest, or `undefined` while loading. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data?.user;
}

/** Whether the member is logging out. In this case, no new requests are made for the member. */
export const leaving = createStore(false);
