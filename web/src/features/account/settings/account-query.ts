/** One's own account, as nobody else sees it. */
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '@/lib/http';
import { post } from '@/lib/post';

export interface Session {
  session_id: number;
  /** The one that asks. */
  current: boolean;
  /** RFC 3339. */
  created_at: string;
  last_used_at: string;
  /** Browser and system; empty where neither is known. */
  agent: string;
  /** ISO 3166-1 alpha-2, `XX` where it is unknown. */
  country: string;
}

export interface Account {
  email: string;
  /** Waits for its link to be followed. */
  new_email: string | null;
  /** `false` for those who sign in elsewhere only. */
  has_password: boolean;
  google: boolean;
  sessions: Session[];
}

const URL = '/api/account.php';

export const accountQuery = queryOptions({
  queryKey: [URL],
  queryFn: ({ signal }) => getJson<Account>(URL, signal),
  // What another device changed is seen when one looks.
  staleTime: 0,
});

/** What shows that the owner asks. */
interface Proven {
  pwd_now?: string;
  captcha: string | undefined;
}

type Change =
  | (Proven & { act: 'password'; pwd: string })
  | (Proven & { act: 'mail'; eml: string })
  | (Proven & { act: 'delete'; uploads: boolean })
  | { act: 'end_session'; session_id: number }
  | { act: 'end_other_sessions' };

export const changeAccount = (change: Change): Promise<{ ok: 1 }> => post(URL, { ...change });
