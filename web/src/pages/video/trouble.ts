/** Determines why a video doesn't play. This module is pure. */

/** Keys of texts in the player's namespace. */
export type Trouble = 'lost' | 'gone' | 'refused' | 'decode' | 'failed';

/** Maps an HTTP status to a key. A status of 0 means that there was no response. */
export function troubleOf(status: number): Exclude<Trouble, 'decode'> {
  if (status === 0) return 'lost';
  if (status === 404 || status === 410) return 'gone';
  if (status === 401 || status === 403) return 'refused';
  return 'failed';
}

/** Whether the links may be outdated. Either they have expired or the video was removed, and fetching fresh links reveals which. */
export const mayBeOutdated = (status: number): boolean =>
  ['gone', 'refused'].includes(troubleOf(status));
