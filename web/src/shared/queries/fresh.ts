/** A call others may have cached, requested anew: its answer is the member's own doing. */
import type { QueryClient, UseQueryOptions } from '@tanstack/react-query';
import { ApiError, getJson } from '@/lib/http';

/** A call as a query, whose key is its address. */
export type Call<Answer> = UseQueryOptions<Answer, Error, Answer, string[]>;

/** The same query under the same key. */
export const fresh = <Answer>(query: Call<Answer>): Call<Answer> => ({
  queryKey: query.queryKey,
  // The browser asks whether its copy still holds.
  queryFn: ({ queryKey: [url = ''], signal }) => getJson<Answer>(url, signal, 'no-cache'),
  staleTime: 0,
});

/** Asks anew for what the member has just changed. Where that fails the page goes on with what it has. */
export async function refresh<Answer>(client: QueryClient, query: Call<Answer>): Promise<void> {
  const { queryKey, queryFn, staleTime } = fresh(query);
  try {
    await client.query({ queryKey, queryFn, staleTime } as Parameters<typeof client.query>[0]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
