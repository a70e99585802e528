/** Finds uploads and moves between them in the queue. This module is pure. */
import type { Item } from './queries';

/** Identifies an upload. */
export type ItemKey = Pick<Item, 'section' | 'id'>;

/** Returns the video or album named in an address (`?video_id=7`, `?album_id=7`). It need not be in the queue. */
export function namedIn(search: string): ItemKey | null {
  const params = new URLSearchParams(search);
  for (const section of ['video', 'album'] as const) {
    const id = Number(params.get(`${section}_id`));
    if (Number.isSafeInteger(id) && id > 0) return { section, id };
  }
  return null;
}

/** Returns an upload's key, which is unique among videos and albums. */
export const keyOf = ({ section, id }: ItemKey): string => `${section} ${String(id)}`;

/** Returns the key `by` positions further on, or that of the first or last upload if there are fewer. Returns null for an empty queue. */
export function neighbour(uploads: readonly Item[], key: string | null, by: number): string | null {
  const at = Math.max(
    0,
    uploads.findIndex((item) => keyOf(item) === key),
  );
  const next = uploads[Math.min(Math.max(at + by, 0), uploads.length - 1)];
  return next ? keyOf(next) : null;
}
