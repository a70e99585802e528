/** The cache for API responses: each URL is requested once, however many callers there are. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError, getJson } from './http';

const MINUTE = 60_000;
const RETRIES = 2;

/** Retry only after failures that may be temporary. When offline, the `online` event triggers a refetch instead. */
const mayPass = (error: Error): boolean =>
  navigator.onLine && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE,
      gcTime: 15 * MINUTE,
      refetchOnWindowFocus: false,
      // Offline, requests fail and the page says so. By default, the library would wait silently.
      networkMode: 'always',
      refetchOnReconnect: true,
      retry: (failures, error) => failures < RETRIES && mayPass(error),
    },
  },
});

/** For callers outside React, above all the search client. */
export const getShared = (url: string): Promise<unknown> =>
  queryClient.query({
    queryKey: [url],
    queryFn: ({ signal }) => getJson(url, signal),
    retry: (failures, error) => failures < RETRIES && mayPass(error),
  });
