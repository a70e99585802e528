/** A call others may have cached, asked anew: its answer is the member's own doing. */
import type { QueryClient, UseQueryOptions } from '@tanstack/react-query';
import { ApiError } from '@/lib/http';

async function revalidated<Answer>(url: string, signal: AbortSignal): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { accept: 'application/json' },
      // The browser asks whether its copy still holds.
      cache: 'no-cache',
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiError(0, 'offline');
  }
  if (!response.ok) {
    const { code = 'unavailable' } = (await response.json().catch(() => ({}))) as { code?: string };
    throw new ApiError(response.status, code);
  }
  return (await response.json()) as Answer;
}

/** The same query under the same key. */
export const fresh = <Answer>(
  query: UseQueryOptions<Answer, Error, Answer, string[]>,
): UseQueryOptions<Answer, Error, Answer, string[]> => ({
  queryKey: query.queryKey,
  queryFn: ({ queryKey: [url = ''], signal }) => revalidated<Answer>(url, signal),
  staleTime: 0,
});

/** Asks anew for what the member has just changed. Where that fails the page goes on with what it has. */
export async function refresh<Answer>(
  client: QueryClient,
  query: UseQueryOptions<Answer, Error, Answer, string[]>,
): Promise<void> {
  const { queryKey, queryFn, staleTime } = fresh(query);
  try {
    await client.query({ queryKey, queryFn, staleTime } as Parameters<typeof client.query>[0]);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}
