/** One's own account, as nobody else sees it. */
import { queryOptions } from '@tanstack/react-query';
import type { Answer, Path, Schema } from '@/api/call';
import { get, post } from '@/api/client';

export type Session = Schema<'OwnSession'>;
export type Account = Answer<typeof URL>;

const URL = '/api/account.php' satisfies Path;

export const accountQuery = queryOptions({
  ...get(URL, {}),
  // What another device changed is seen when one looks.
  staleTime: 0,
});

/** What shows that the owner asks. */
interface Proof {
  pwd_now?: string;
  captcha: string | undefined;
}

type Change =
  | (Proof & { act: 'password'; pwd: string })
  | (Proof & { act: 'mail'; eml: string })
  | (Proof & { act: 'delete'; uploads: boolean })
  | { act: 'end_session'; session_id: number }
  | { act: 'end_other_sessions' };

export const changeAccount = (change: Change) => post(URL, change);
