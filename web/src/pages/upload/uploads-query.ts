/** Requests the member's uploads, and polls them while their state may change. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/call';
import { get } from '@/api/client';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import { ApiError } from '@/lib/http';
import { queryClient } from '@/lib/query';
import type { UploadItem } from './rows';
import { transfers } from './transfers';

/** Intervals for polling: often during processing, and rarely during review. */
const SOON_MS = 2000;
const LATER_MS = 30_000;
/** Longest pause between two attempts to reach a site that doesn't respond. */
const RECONNECT_MS = 5000;
/** Failed attempts in a row after which the site counts as not responding. A single one passes unnoticed. */
const LOST_AFTER = 2;
/** Statuses of videos that await a decision, a poster, which is eventually chosen automatically, or their time of publication. */
const WAITING: readonly UploadStatus[] = [
  UPLOAD_STATUS.inReview,
  UPLOAD_STATUS.draft,
  UPLOAD_STATUS.scheduled,
];

export const uploadsQuery = queryOptions({
  ...get('/api/uploads/', {}),
  staleTime: 0,
  // The uploads may have changed in the meantime, for example in another window.
  refetchOnWindowFocus: true,
});

/** Returns the polling interval in ms, or false while nothing can change. `here` contains the tokens of uploads that this page sends. */
export function pollEvery(
  uploads: readonly Pick<UploadItem, 'state' | 'token' | 'video' | 'is_kept'>[],
  here: ReadonlySet<string | null>,
): number | false {
  if (uploads.some(({ state }) => state === 'processing')) return SOON_MS;
  const mayChange = uploads.some(({ state, token, video, is_kept }) =>
    state === 'receiving'
      ? !here.has(token)
      : is_kept || (video !== null && WAITING.includes(video.status_id)),
  );
  return mayChange && LATER_MS;
}

/** Whether the site may respond again. When offline, the `online` event triggers a refetch instead. */
const mayReturn = (error: Error): boolean =>
  navigator.onLine && (!(error instanceof ApiError) || error.status === 0 || error.status >= 500);

/** Returns the uploads. While the site doesn't respond, the request is repeated until it does. */
export function useUploads() {
  const { data, error, refetch, dataUpdatedAt, failureCount } = useQuery({
    ...uploadsQuery,
    retry: (_, error) => mayReturn(error),
    retryDelay: (failures) => Math.min(1000 * 2 ** failures, RECONNECT_MS),
    refetchInterval: ({ state }) =>
      pollEvery(state.data?.uploads ?? [], new Set(transfers().map(({ token }) => token))),
  });
  return { data, error, refetch, dataUpdatedAt, isLost: failureCount >= LOST_AFTER };
}

/** Fetches the uploads now. Errors are thrown. */
export const askUploads = () => queryClient.query(uploadsQuery);

export const refreshUploads = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: uploadsQuery.queryKey });

/** Removes an upload from the list at once. The server's next response takes precedence. */
export function forgetUpload(token: string): void {
  queryClient.setQueryData(
    uploadsQuery.queryKey,
    (answer: Schema<'UploadsAnswer'> | undefined) =>
      answer && { ...answer, uploads: answer.uploads.filter((item) => item.token !== token) },
  );
}
