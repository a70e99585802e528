/** The cache in front of the API: same URL, same request, however many ask. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError, getJson } from './http';

const MINUTE = 60_000;
const RETRIES = 2;

/** Only a failure that may pass in a moment is worth another try. A line that is down has an event that tells of its end. */
const mayPass = (error: Error): boolean =>
  navigator.onLine && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE,
      gcTime: 15 * MINUTE,
      refetchOnWindowFocus: false,
      // Without a line a call fails and the page says so; the library's own way is to wait without a word.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < RETRIES && mayPass(error),
    },
  },
});

/** For callers outside React, the search client above all. */
export const getShared = (url: string): Promise<unknown> =>
  queryClient.query({
    queryKey: [url],
    queryFn: ({ signal }) => getJson(url, signal),
    retry: (failures, error) => failures < RETRIES && mayPass(error),
  });
