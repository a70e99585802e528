/** An album in the making: its pictures in their order, those of this page and those that the server has. Pure. */
import type { Answer } from '@/api/call';
import type { Details } from '@/shared/details/details';
import { moved } from '@/shared/order/reorder';
import type { ErrorFacts } from '@/i18n/errors';
import type { Examination } from './examine';
import type { Doubt } from './picture-checks';

export type Own = NonNullable<Answer<'/api/album_edit.php'>['album']>;
export type OwnPhoto = Own['photos'][number];

/** `status_id` of an album that its member hasn't handed in yet. */
export const DRAFT = 3;

export type PictureState = 'checking' | 'refused' | 'ready' | 'sending' | 'there';

export interface Picture {
  key: string;
  state: PictureState;
  /** What is to be sent; null of those that came earlier. */
  file: File | null;
  /** Names it at the server, once it is there. */
  photoId: number | null;
  thumb: string | null;
  size: Examination['size'];
  /** Bytes that have left. */
  sent: number;
  /** Why it can't be sent, as this page found… */
  doubt: Doubt | null;
  /** …or as the server says. */
  failure: ErrorFacts | null;
}

export interface Work {
  /** Null until the server has begun it. */
  albumId: number | null;
  /** Nobody else sees it, and nobody decides on it, until it is handed in. */
  isDraft: boolean;
  pictures: readonly Picture[];
  /** Key of the picture that stands for the album; null for the first. */
  cover: string | null;
  /** Pictures as the server has them now, in its order. */
  known: readonly OwnPhoto[];
  /** Those of them that it shall forget. */
  removed: readonly number[];
  /** What the server was told of it, and what was typed since. */
  said: Details | null;
  typed: Details | null;
  isSending: boolean;
  /** Why sending ended. */
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
  state: 'there',
  file: null,
  photoId: photo.photo_id,
  thumb: photo.thumb,
  size: null,
  sent: 0,
  doubt: null,
  failure: null,
});

/** An own album as the server has it. */
export function workOf({ album_id, status_id, photos }: Own, said: Details): Work {
  const cover = photos.find(({ is_cover }) => is_cover);
  return {
    ...NEW,
    albumId: album_id,
    isDraft: status_id === DRAFT,
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

/** Without some pictures; the server is told with what is sent next. */
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

/** The same once the server has all of it. */
export const settled = (work: Work): Work => ({
  ...work,
  typed: null,
  pictures: work.pictures.map((picture) => ({ ...picture, file: null, sent: 0 })),
});

export const coverOf = ({ cover, pictures }: Work): string | null =>
  cover ?? pictures[0]?.key ?? null;

/** Whether it is part of the album, as far as is known. */
export const isTaken = ({ state }: Picture): boolean => state !== 'refused' && state !== 'checking';

export const isRefused = ({ state }: Picture): boolean => state === 'refused';

/** Of the pictures that this page sends: how many there are and have come, and how many bytes of them. */
export function progressOf({ pictures }: Work) {
  const own = pictures.filter(({ file, state }) => file !== null && state !== 'refused');
  const sum = (of: (picture: Picture) => number) =>
    own.reduce((total, picture) => total + of(picture), 0);
  return {
    total: own.length,
    done: own.filter(({ state }) => state === 'there').length,
    bytes: sum(({ file }) => file?.size ?? 0),
    sent: sum(({ file, state, sent }) => (state === 'there' ? (file?.size ?? 0) : sent)),
  };
}

/** The same file twice would be refused. */
export const hasFile = ({ pictures }: Work, { name, size, lastModified }: File): boolean =>
  pictures.some(
    ({ file }) => file?.name === name && file.size === size && file.lastModified === lastModified,
  );

/** Pictures that the server still has and shall forget, as its calls take them. */
export function removeForm({ removed, known }: Work): { remove?: string } {
  const ids = removed.filter((id) => known.some(({ photo_id }) => photo_id === id));
  return ids.length > 0 ? { remove: ids.join() } : {};
}

/** What the last request says of the pictures: which go, their order, and the cover; null where the server has it all so already. */
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
