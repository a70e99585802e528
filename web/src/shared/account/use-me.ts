/** Who is signed in. A page sent to a guest brings the answer with it, so guests ask for nothing. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Path, Schema } from '@/api/call';
import { getJson } from '@/lib/http';
import { sent } from '@/lib/sent';
import { createStore } from '@/lib/store';

export type Me = Schema<'OwnUser'>;

/** The rest of the answer is the page's own already. */
type MeAnswer = Pick<Schema<'Me'>, 'user'>;

const URL = '/api/me.php' satisfies Path;

export const meQuery = queryOptions({
  queryKey: [URL],
  queryFn: ({ signal }) => getJson<MeAnswer>(URL, signal),
  // Signing in and out loads a new page or asks again, so this holds as long as the page does.
  ...(sent().guest && { initialData: { user: null } }),
  // Messages come while one is away; for a guest nothing does.
  refetchOnWindowFocus: ({ state }) => state.data?.user != null,
});

/** The member who is signed in, `null` for a guest, `undefined` until it is known. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data?.user;
}

/** The member signs out: nothing new is begun for them. */
export const leaving = createStore(false);
