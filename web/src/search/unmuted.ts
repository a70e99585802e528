/**
 * Lists without what the viewer muted. The calls that every viewer shares know nothing of that, so the same list is asked for by a
 * call of its own, which no cache keeps.
 */
import type { Form, FormPath } from '@/api/call';
import { post } from '@/api/client';
import { getShared, queryClient } from '@/lib/query';
import { createStore } from '@/lib/store';

const UNMUTED = '/api/unmuted.php' satisfies FormPath;

export interface Muting {
  /** Another one is another list. */
  key: string;
  /** Whether models are muted. */
  models: boolean;
  /** What is sent along: a guest's mutes; a member's are the server's. */
  fields: () => Omit<Form<typeof UNMUTED>, 'list'>;
}

/** Null where nothing is muted, and shared answers will do. */
const muting = createStore<Muting | null>(null);

export const setMuting = muting.write;
/** Changes with what is muted. */
export const useMutingKey = () => muting.usePart((now) => now?.key);

const queryOf = (url: string, { key, fields }: Muting) => ({
  queryKey: [url, key],
  queryFn: (): Promise<unknown> => post(UNMUTED, { list: url, ...fields() }),
});

/** The query of a list, for this viewer: what it answers is of the same type. */
export function useUnmuted<Query extends { queryKey: readonly string[] }>(query: Query): Query {
  const now = muting.useValue();
  const [url = ''] = query.queryKey;
  return now ? { ...query, ...queryOf(url, now) } : query;
}

/** Whether a list may hold something that is muted. */
const isConcerned = (url: string, { models }: Muting): boolean =>
  (models
    ? /^\/api\/(json\/(videos2|models)\/|videos2\.php)/
    : /^\/api\/(json\/videos2\/|videos2\.php)/
  ).test(url);

/** What is known of a list already, without asking. */
export function knownList(url: string): unknown {
  const now = muting.read();
  return queryClient.getQueryData(
    now && isConcerned(url, now) ? queryOf(url, now).queryKey : [url],
  );
}

/** The same for callers outside React. */
export function getList(url: string): Promise<unknown> {
  const now = muting.read();
  return now && isConcerned(url, now) ? queryClient.query(queryOf(url, now)) : getShared(url);
}
