/** Who is signed in. A page sent to a guest brings the answer with it, so guests ask for nothing. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getJson } from '@/lib/http';
import { cameAsGuest } from './boot-facts';

export interface Me {
  user_id: number;
  username: string;
  /** Path of the picture. */
  avatar: string | null;
  /** 6 manages uploaded videos. */
  status_id: number;
  unread_messages: number;
  friend_requests: number;
}

interface MeAnswer {
  user: Me | null;
}

const URL = '/api/me.php';

export const meQuery = queryOptions({
  queryKey: [URL],
  queryFn: ({ signal }) => getJson<MeAnswer>(URL, signal),
  ...(cameAsGuest && { initialData: { user: null } }),
  // Messages come while one is away; for a guest nothing does.
  refetchOnWindowFocus: ({ state }) => state.data?.user != null,
});

/** The member who is signed in, `null` for a guest, `undefined` until it is known. */
export function useMe(): Me | null | undefined {
  return useQuery(meQuery).data?.user;
}
