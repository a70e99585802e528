/** Requests the member's uploads, and polls them while their state may change. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/call';
import { get } from '@/api/client';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import { queryClient } from '@/lib/query';
import type { UploadItem } from './rows';
import { transfers } from './transfers';

/** Intervals for polling: often during processing, and rarely during review. */
const SOON_MS = 2000;
const LATER_MS = 30_000;
/** Statuses of videos in review or waiting for a poster, which is eventually chosen automatically. */
const UNDECIDED: readonly UploadStatus[] = [UPLOAD_STATUS.inReview, UPLOAD_STATUS.draft];

export const uploadsQuery = queryOptions({
  ...get('/api/uploads/', {}),
  staleTime: 0,
  // The uploads may have changed in the meantime, for example in another window.
  refetchOnWindowFocus: true,
});

/** Returns the polling interval in ms, or false while nothing can change. `here` contains the tokens of uploads that this page sends. */
export function pollEvery(
  uploads: readonly Pick<UploadItem, 'state' | 'token' | 'video'>[],
  here: ReadonlySet<string | null>,
): number | false {
  if (uploads.some(({ state }) => state === 'processing')) return SOON_MS;
  const mayChange = uploads.some(({ state, token, video }) =>
    state === 'receiving'
      ? !here.has(token)
      : video !== null && UNDECIDED.includes(video.status_id),
  );
  return mayChange && LATER_MS;
}

export const useUploads = () =>
  useQuery({
    ...uploadsQuery,
    refetchInterval: ({ state }) =>
      pollEvery(state.data?.uploads ?? [], new Set(transfers().map(({ token }) => token))),
  });

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
