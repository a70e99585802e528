/**
 * Lists without what the viewer has muted. Shared, cacheable responses can't reflect mutes, so such a list is requested with a separate,
 * uncached call.
 */
import type { Form, FormPath } from '@/api/call';
import { post } from '@/api/client';
import { getShared, queryClient } from '@/lib/query';
import { createStore } from '@/lib/store';

const UNMUTED = '/api/unmuted.php' satisfies FormPath;

export interface Muting {
  /** Changes whenever the list of mutes does. */
  key: string;
  /** Whether models are muted. */
  models: boolean;
  /** Returns the form fields to send: a guest's mutes. A member's mutes are on the server. */
  fields: () => Omit<Form<typeof UNMUTED>, 'list'>;
}

/** Null if nothing is muted, so that shared responses are enough. */
const muting = createStore<Muting | null>(null);

export const setMuting = muting.write;
/** Changes whenever the list of mutes does. */
export const useMutingKey = () => muting.usePart((now) => now?.key);

const queryOf = (url: string, { key, fields }: Muting) => ({
  queryKey: [url, key],
  queryFn: (): Promise<unknown> => post(UNMUTED, { list: url, ...fields() }),
});

/** Returns a list's query for this viewer. The type of the response stays the same. */
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

/** Returns a list's cached response without making a request. */
export function knownList(url: string): unknown {
  const now = muting.read();
  return queryClient.getQueryData(
    now && isConcerned(url, now) ? queryOf(url, now).queryKey : [url],
  );
}

/** Requests a list for this viewer, or returns the cached response. For callers outside React. */
export function getList(url: string): Promise<unknown> {
  const now = muting.read();
  return now && isConcerned(url, now) ? queryClient.query(queryOf(url, now)) : getShared(url);
}
