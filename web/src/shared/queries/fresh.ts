/** Refetches a call whose response caches may hold, because the response must reflect the member's own change. */
import type { QueryClient, UseQueryOptions } from '@tanstack/react-query';
import { ApiError, getJson } from '@/lib/http';

/** A call as a query, whose key is its URL. */
export type Call<Answer> = UseQueryOptions<Answer, Error, Answer, string[]>;

/** Returns the same query under the same key, but bypasses caches. */
export const fresh = <Answer>(query: Call<Answer>): Call<Answer> => ({
  queryKey: query.queryKey,
  // The browser revalidates its copy.
  queryFn: ({ queryKey: [url = ''], signal }) => getJson<Answer>(url, signal, 'no-cache'),
  staleTime: 0,
});

/** Refetches what the member has just changed. If this fails, the page keeps the old data. */
export async function refresh<Answer>(client: QueryClient, query: Call<Answer>): Promise<void> {
  const { queryKey, queryFn, staleTime } = fresh(query);
  try {
    await client.query({ queryKey, queryFn, staleTime } as Parameters<typeof client.query>[0]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
