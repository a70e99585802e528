/** Uploads an album: its details, then the pictures one by one, then their order. The upload continues while other screens are shown. */
import { fetchAnswer, post } from '@/api/client';
import type { UploadStatus } from '@/api/status';
import { ApiError } from '@/lib/http';
import { asDetails, type Details } from '@/shared/details/details';
import { checked } from './add-pictures';
import { sendPicture, type AlbumAnswer } from './send-picture';
import { isRefused, lastForm, removeForm, withPicture, type OwnPhoto, type Picture } from './work';
import { changeWork, findWork } from './works';

/** Pauses before retries. A restarting node is available again within this time. */
const PAUSES_MS = [1000, 3000, 8000, 15_000];
/** If the wait is longer than this, the failure is reported instead. */
const MAX_WAIT_S = 30;
/** How often the progress is updated. More frequent changes are unreadable. */
const UPDATE_MS = 200;

/** How the upload ended: it was submitted, some pictures were refused, the member stopped it, or it failed (see `failure`). */
export type Outcome =
  { end: 'done'; statusId: UploadStatus | null } | { end: 'refused' | 'stopped' | 'broken' };

const running = new Map<string, AbortController>();

const askBeforeLeaving = (event: Event): void => {
  event.preventDefault();
};

export function stop(name: string): void {
  running.get(name)?.abort();
}

/** Throws errors that concern the details. Everything else is an outcome. */
export async function upload(name: string, details: Details): Promise<Outcome> {
  const control = new AbortController();
  running.set(name, control);
  changeWork(name, (work) => ({ ...work, isSending: true, failure: null }));
  addEventListener('beforeunload', askBeforeLeaving);
  try {
    const described = await describe(name, details);
    return await sendRest(name, described, control.signal);
  } finally {
    running.delete(name);
    if (running.size === 0) removeEventListener('beforeunload', askBeforeLeaving);
    changeWork(name, (work) => ({ ...work, isSending: false }));
  }
}

/** Sends the details if they have changed. Returns the album's state if it is known. */
async function describe(name: string, details: Details): Promise<UploadStatus | null> {
  const { albumId, said } = findWork(name) ?? {};
  const form = asDetails(details);
  const isNews = !said || JSON.stringify(asDetails(said)) !== JSON.stringify(form);
  if (albumId != null && !isNews) return null;
  const begun = albumId == null ? {} : { album_id: albumId };
  // An album that was already submitted doesn't become a draft again because of `draft`.
  const answer = await post('/api/album_edit.php', { ...begun, ...form, draft: true });
  changeWork(name, (work) => ({ ...work, albumId: answer.album_id ?? null, said: details }));
  return answer.status_id ?? null;
}

async function sendRest(
  name: string,
  described: UploadStatus | null,
  signal: AbortSignal,
): Promise<Outcome> {
  let statusId = described;
  try {
    for (;;) {
      const sent = await sendPictures(name, signal);
      statusId = sent ?? statusId;
      const work = findWork(name);
      if (!work || signal.aborted) return { end: 'stopped' };
      if (work.pictures.some(isRefused)) return { end: 'refused' };
      const form = lastForm(work);
      // Anything that was changed in the meantime takes another round.
      if (!form || work.albumId === null) break;
      const answer = await post('/api/album_edit.php', { album_id: work.albumId, ...form });
      statusId = answer.status_id ?? statusId;
      changeWork(name, (old) => ({ ...old, isDraft: false, known: photosOf(answer) }));
    }
    return { end: 'done', statusId };
  } catch (error) {
    if (signal.aborted) return { end: 'stopped' };
    if (!(error instanceof ApiError)) throw error;
    changeWork(name, (work) => ({ ...work, failure: error }));
    return { end: 'broken' };
  }
}

const photosOf = ({ photos }: Pick<AlbumAnswer, 'photos'>): readonly OwnPhoto[] => photos ?? [];

/** Sends the pictures that are ready one after the other, so that they arrive in order. */
async function sendPictures(name: string, signal: AbortSignal): Promise<UploadStatus | null> {
  let statusId: UploadStatus | null = null;
  for (;;) {
    await checked();
    const next = findWork(name)?.pictures.find(({ state }) => state === 'ready');
    if (!next || signal.aborted) return statusId;
    statusId = (await sendOne(name, next, signal)) ?? statusId;
  }
}

/** Whether the error concerns this picture, not the whole album. */
const isOfPicture = ({ status, field, codes, code }: ApiError): boolean =>
  status === 422 && code !== 'no_photos' && (field ?? codes[0]?.field) === 'photos';

async function sendOne(
  name: string,
  { key, file }: Picture,
  signal: AbortSignal,
): Promise<UploadStatus | null> {
  if (!file) return null;
  const change = (to: Partial<Picture>) => {
    changeWork(name, (work) => withPicture(work, key, to));
  };
  let shownAt = 0;
  for (let tries = 0; ; tries += 1) {
    change({ state: 'sending', sent: 0 });
    const work = findWork(name);
    if (work?.albumId == null) return null;
    try {
      const fields = { album_id: work.albumId, draft: 1, ...removeForm(work) };
      const answer = await sendPicture(fields, file, {
        signal,
        onProgress: (sent) => {
          const now = performance.now();
          if (now - shownAt < UPDATE_MS) return;
          shownAt = now;
          change({ sent });
        },
      });
      adopt(name, key, photosOf(answer));
      return answer.status_id ?? null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isOfPicture(error)) {
        change({ state: 'refused', failure: { code: error.codes[0]?.code ?? error.code } });
        return null;
      }
      const pause = signal.aborted ? null : pauseAfter(error, tries);
      if (pause === null) {
        change({ state: 'ready', sent: 0 });
        throw error;
      }
      await wait(pause, signal);
      if (await hasArrived(name, key, work.albumId)) return null;
    }
  }
}

/** Returns how many milliseconds to wait before the next attempt, or null if retrying is pointless. */
function pauseAfter({ status, info }: ApiError, tries: number): number | null {
  const pause = PAUSES_MS[tries] ?? null;
  if (status === 429) {
    const seconds = Number(info.retry_after);
    return seconds <= MAX_WAIT_S && pause !== null ? Math.max(pause, seconds * 1000) : null;
  }
  return status === 0 || status === 408 || status >= 500 ? pause : null;
}

/** Waits, but resolves early if the upload is stopped. */
const wait = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });

/** Takes over the server's state. The one photo that the server didn't have before is the picture just sent. */
function adopt(name: string, key: string, photos: readonly OwnPhoto[]): boolean {
  const before = new Set(findWork(name)?.known.map(({ photo_id }) => photo_id));
  const photo = photos.find(({ photo_id }) => !before.has(photo_id));
  changeWork(name, (work) => ({
    ...withPicture(work, key, photo ? { state: 'uploaded', photoId: photo.photo_id } : {}),
    known: photos,
  }));
  return photo !== undefined;
}

/** Checks, after a lost connection, whether only the response was lost. */
async function hasArrived(name: string, key: string, album_id: number): Promise<boolean> {
  try {
    const { album } = await fetchAnswer('/api/album_edit.php', { album_id });
    return album ? adopt(name, key, album.photos) : false;
  } catch (error) {
    // The next attempt will find out.
    if (error instanceof ApiError) return false;
    throw error;
  }
}
