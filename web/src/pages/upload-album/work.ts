/** The state of an album being edited: its pictures in order, both those not sent yet and those on the server. This module is pure. */
import type { Answer } from '@/api/call';
import { UPLOAD_STATUS } from '@/api/status';
import type { Details } from '@/shared/details/details';
import { moved } from '@/shared/order/reorder';
import type { ErrorFacts } from '@/i18n/errors';
import type { Examination } from './examine';
import type { Doubt } from './picture-checks';

export type Own = NonNullable<Answer<'/api/album_edit.php'>['album']>;
export type OwnPhoto = Own['photos'][number];

export type PictureState = 'checking' | 'refused' | 'ready' | 'sending' | 'uploaded';

export interface Picture {
  key: string;
  state: PictureState;
  /** The file to upload, or null if it was uploaded earlier. */
  file: File | null;
  /** The photo's id on the server, once it is uploaded. */
  photoId: number | null;
  thumb: string | null;
  size: Examination['size'];
  /** Number of bytes sent. */
  sent: number;
  /** Why the picture can't be sent, according to this page… */
  doubt: Doubt | null;
  /** …or according to the server. */
  failure: ErrorFacts | null;
}

export interface Work {
  /** Null until the album is created on the server. */
  albumId: number | null;
  /** A draft is invisible to others, and is not reviewed until it is submitted. */
  isDraft: boolean;
  pictures: readonly Picture[];
  /** The cover's key. If it is null, the first picture is the cover. */
  cover: string | null;
  /** The photos currently on the server, in the server's order. */
  known: readonly OwnPhoto[];
  /** The ids of photos to delete on the server. */
  removed: readonly number[];
  /** The details last sent to the server, and what was entered since then. */
  said: Details | null;
  typed: Details | null;
  isSending: boolean;
  /** Why the upload ended. */
  failure: ErrorFacts | null;
}

export const NEW: Work = {
  albumId: null,
  isDraft: true,
  pictures: [],
  cover: null,
  known: [],
  removed: [],
  said: null,
  typed: null,
  isSending: false,
  failure: null,
};

const keyOf = (photoId: number): string => `photo-${String(photoId)}`;

const there = (photo: OwnPhoto): Picture => ({
  key: keyOf(photo.photo_id),
  state: 'uploaded',
  file: null,
  photoId: photo.photo_id,
  thumb: photo.thumb,
  size: null,
  sent: 0,
  doubt: null,
  failure: null,
});

/** Converts an own album from the server. */
export function workOf({ album_id, status_id, photos }: Own, said: Details): Work {
  const cover = photos.find(({ is_cover }) => is_cover);
  return {
    ...NEW,
    albumId: album_id,
    isDraft: status_id === UPLOAD_STATUS.draft,
    pictures: photos.map(there),
    cover: cover ? keyOf(cover.photo_id) : null,
    known: photos,
    said,
  };
}

export const waitingPicture = (key: string, file: File): Picture => ({
  key,
  state: 'checking',
  file,
  photoId: null,
  thumb: null,
  size: null,
  sent: 0,
  doubt: null,
  failure: null,
});

export const withPicture = (work: Work, key: string, change: Partial<Picture>): Work => ({
  ...work,
  pictures: work.pictures.map((picture) =>
    picture.key === key ? { ...picture, ...change } : picture,
  ),
});

export const withMoved = (work: Work, from: number, to: number): Work => ({
  ...work,
  pictures: moved([...work.pictures], from, to),
});

/** Removes pictures. The next request tells the server about it. */
export function without(work: Work, isGone: (picture: Picture) => boolean): Work {
  const gone = work.pictures.filter(isGone);
  const ids = gone.flatMap(({ photoId }) => (photoId === null ? [] : [photoId]));
  return {
    ...work,
    pictures: work.pictures.filter((picture) => !isGone(picture)),
    cover: gone.some(({ key }) => key === work.cover) ? null : work.cover,
    removed: [...work.removed, ...ids],
  };
}

/** Returns the state after the server has received all details and pictures. */
export const settled = (work: Work): Work => ({
  ...work,
  typed: null,
  pictures: work.pictures.map((picture) => ({ ...picture, file: null, sent: 0 })),
});

export const coverOf = ({ cover, pictures }: Work): string | null =>
  cover ?? pictures[0]?.key ?? null;

/** Whether the picture belongs to the album, as far as is known. */
export const isTaken = ({ state }: Picture): boolean => state !== 'refused' && state !== 'checking';

export const isRefused = ({ state }: Picture): boolean => state === 'refused';

/** Returns how many pictures this page has sent, how many have arrived, and their bytes. */
export function progressOf({ pictures }: Work) {
  const own = pictures.filter(({ file, state }) => file !== null && state !== 'refused');
  const sum = (of: (picture: Picture) => number) =>
    own.reduce((total, picture) => total + of(picture), 0);
  return {
    total: own.length,
    done: own.filter(({ state }) => state === 'uploaded').length,
    bytes: sum(({ file }) => file?.size ?? 0),
    sent: sum(({ file, state, sent }) => (state === 'uploaded' ? (file?.size ?? 0) : sent)),
  };
}

/** Whether the file was already added. The server would refuse the same file twice. */
export const hasFile = ({ pictures }: Work, { name, size, lastModified }: File): boolean =>
  pictures.some(
    ({ file }) => file?.name === name && file.size === size && file.lastModified === lastModified,
  );

/** Returns the photos that are to be deleted but still on the server, as a request parameter. */
export function removeForm({ removed, known }: Work): { remove?: string } {
  const ids = removed.filter((id) => known.some(({ photo_id }) => photo_id === id));
  return ids.length > 0 ? { remove: ids.join() } : {};
}

/** Returns the last request's fields: removals, order and cover. Returns null if the server is up to date. */
export function lastForm(work: Work) {
  const { pictures, known, removed, isDraft } = work;
  const order = pictures.flatMap(({ photoId }) => (photoId === null ? [] : [photoId]));
  const coverKey = coverOf(work);
  const cover = pictures.find(({ key }) => key === coverKey)?.photoId ?? null;
  const left = known.filter(({ photo_id }) => !removed.includes(photo_id));
  const isOrdered = left.map(({ photo_id }) => photo_id).join() === order.join();
  const isCovered = left.find(({ is_cover }) => is_cover)?.photo_id === (cover ?? undefined);
  if (left.length === known.length && isOrdered && isCovered && !isDraft) return null;
  return {
    ...removeForm(work),
    ...(order.length > 0 && { order: order.join() }),
    ...(cover !== null && { cover }),
  };
}
