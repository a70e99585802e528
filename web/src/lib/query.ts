/** The cache in front of the API: same URL, same request, however many ask. */
import { QueryClient } from '@tanstack/react-query';
import { ApiError, getJson } from './http';

const MINUTE = 60_000;
const RETRIES = 2;

/** Only a failure that may pass is worth another try. */
const mayPass = (error: Error): boolean =>
  !(error instanceof ApiError) || error.status === 0 || error.status >= 500;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE,
      gcTime: 15 * MINUTE,
      refetchOnWindowFocus: false,
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
