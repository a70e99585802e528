/** The member's uploads, asked for again while something becomes of them. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Schema } from '@/api/call';
import { get } from '@/api/client';
import { queryClient } from '@/lib/query';
import type { UploadItem } from './rows';
import { transfers } from './transfers';

/** Work is watched; what waits for people takes its time. */
const SOON_MS = 2000;
const LATER_MS = 30_000;
/** `status_id` of videos that others decide on, or that wait for a picture, which is chosen for who doesn't. */
const UNDECIDED = [2, 3];

export const uploadsQuery = queryOptions({
  ...get('/api/uploads/', {}),
  staleTime: 0,
  // What went on meanwhile, in another window too.
  refetchOnWindowFocus: true,
});

/** Milliseconds until the list may say something else, or false while it can't. `here` are those this page sends itself. */
export function pollEvery(
  uploads: readonly Pick<UploadItem, 'state' | 'token' | 'video'>[],
  here: ReadonlySet<string | null>,
): number | false {
  if (uploads.some(({ state }) => state === 'processing')) return SOON_MS;
  const mayChange = uploads.some(({ state, token, video }) =>
    state === 'receiving' ? !here.has(token) : UNDECIDED.includes(video?.status_id ?? 0),
  );
  return mayChange && LATER_MS;
}

export const useUploads = () =>
  useQuery({
    ...uploadsQuery,
    refetchInterval: ({ state }) =>
      pollEvery(state.data?.uploads ?? [], new Set(transfers().map(({ token }) => token))),
  });

/** Asks now; what is wrong is thrown. */
export const askUploads = () => queryClient.query(uploadsQuery);

export const refreshUploads = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: uploadsQuery.queryKey });

/** Takes an upload out of the list at once; what the server says next is what holds. */
export function forgetUpload(token: string): void {
  queryClient.setQueryData(
    uploadsQuery.queryKey,
    (answer: Schema<'UploadsAnswer'> | undefined) =>
      answer && { ...answer, uploads: answer.uploads.filter((item) => item.token !== token) },
  );
}
