/**
 * Lists without what the viewer muted. Shared, cacheable responses can't reflect mutes, so the list is requested through a
 * separate, uncached call.
 */
import type { Form, FormPath } from '@/api/call';
import { post } from '@/api/client';
import { getShared, queryClient } from '@/lib/query';
import { createStore } from '@/lib/store';

const UNMUTED = '/api/unmuted.php' satisfies FormPath;

export interface Muting {
  /** Changes with the list of mutes. */
  key: string;
  /** Whether models are muted. */
  models: boolean;
  /** Form fields to send: a guest's mutes; a member's are on the server. */
  fields: () => Omit<Form<typeof UNMUTED>, 'list'>;
}

/** Null if nothing is muted and shared responses are enough. */
const muting = createStore<Muting | null>(null);

export const setMuting = muting.write;
/** Changes with the list of mutes. */
export const useMutingKey = () => muting.usePart((now) => now?.key);

const queryOf = (url: string, { key, fields }: Muting) => ({
  queryKey: [url, key],
  queryFn: (): Promise<unknown> => post(UNMUTED, { list: url, ...fields() }),
});

/** Returns a list's query for this viewer, with a response of the same type. */
export function useUnmuted<Query extends { queryKey: readonly string[] }>(query: Query): Query {
  const now = muting.useValue();
  const [url = ''] = query.queryKey;
  return now ? { ...query, ...queryOf(url, now) } : query;
}

/** Whether a list may contain muted content. */
const isConcerned = (url: string, { models }: Muting): boolean =>
  (models
    ? /^\/api\/(json\/(videos2|models)\/|videos2\.php)/
    : /^\/api\/(json\/videos2\/|videos2\.php)/
  ).test(url);

/** Returns a list's cached response without a request. */
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
