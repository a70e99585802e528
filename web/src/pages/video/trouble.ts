/** Why a video doesn't play. Pure. */

/** Keys of the player's texts. */
export type Trouble = 'lost' | 'gone' | 'refused' | 'decode' | 'failed';

/** Maps an HTTP status; 0 is no response. */
export function troubleOf(status: number): Exclude<Trouble, 'decode'> {
  if (status === 0) return 'lost';
  if (status === 404 || status === 410) return 'gone';
  if (status === 401 || status === 403) return 'refused';
  return 'failed';
}

/** Links expire, and videos are removed: fetching fresh links reveals which. */
export const mayBeOutdated = (status: number): boolean =>
  ['gone', 'refused'].includes(troubleOf(status));
