/** Stores unsent details of videos, by row. They outlive the screen, but not the page. */
import type { FilmFields } from './film-fields';

const drafts = new Map<string, FilmFields>();

export const draftOf = (key: string): FilmFields | undefined => drafts.get(key);

export function storeDraft(key: string, fields: FilmFields): void {
  drafts.set(key, fields);
}
