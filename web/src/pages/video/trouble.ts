/** Why a film doesn't play. Pure. */

/** The words in the player's texts. */
export type Trouble = 'lost' | 'gone' | 'refused' | 'decode' | 'failed';

/** What the status of an answer means; 0 is none at all. */
export function troubleOf(status: number): Exclude<Trouble, 'decode'> {
  if (status === 0) return 'lost';
  if (status === 404 || status === 410) return 'gone';
  if (status === 401 || status === 403) return 'refused';
  return 'failed';
}

/** Links end, and films go: fresh links, or their refusal, say which it was. */
export const mayBeOutdated = (status: number): boolean =>
  ['gone', 'refused'].includes(troubleOf(status));
