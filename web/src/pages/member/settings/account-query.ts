/** The member's own account, with owner-only data. */
import { queryOptions } from '@tanstack/react-query';
import type { Answer, Path, Schema } from '@/api/call';
import { get, post } from '@/api/client';

export type Session = Schema<'OwnSession'>;
export type Account = Answer<typeof URL>;

const URL = '/api/account.php' satisfies Path;

export const accountQuery = queryOptions({
  ...get(URL, {}),
  // Other devices may have changed the account.
  staleTime: 0,
});

/** Fields that prove that the owner makes the request. */
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
