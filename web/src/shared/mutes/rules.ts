/** Functions that work with mutes. This module is pure. */
import type { Schema } from '@/api/call';
import { readStored } from '@/lib/storage';
import type { Muting } from '@/search/unmuted';

export type Mutes = Schema<'MutesAnswer'>;

export const NOTHING_MUTED: Mutes = { watched: false, categories: [], models: [], members: [] };

/** Storage keys for a guest's mutes, and for the copy of a member's mutes that the first page uses. */
export const STORED = { guest: 'lantern.mutes', member: 'lantern.mutes.member' };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isNamed = (value: unknown): boolean =>
  isRecord(value) && typeof value.dir === 'string' && typeof value.title === 'string';
const isMember = (value: unknown): boolean =>
  isRecord(value) && typeof value.user_id === 'number' && typeof value.username === 'string';
const isListOf = (value: unknown, is: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(is);

/** Whether local storage contains this version's format. */
export const isMutes = (value: unknown): value is Mutes =>
  isRecord(value) &&
  typeof value.watched === 'boolean' &&
  isListOf(value.categories, isNamed) &&
  isListOf(value.models, isNamed) &&
  isListOf(value.members, isMember);

/** Returns as many mutes of each kind as calls may send. A browser may hold more from before the limit was lowered. */
export const firstOf = (mutes: Mutes, most: number): Mutes => ({
  ...mutes,
  categories: mutes.categories.slice(0, most),
  models: mutes.models.slice(0, most),
  members: mutes.members.slice(0, most),
});

/** Returns how calls reflect mutes, or null if nothing is muted. `watched` returns the videos in a guest's history. */
export function mutingOf(mutes: Mutes, watched: (() => number[]) | null): Muting | null {
  const names = {
    categories: mutes.categories.map(({ dir }) => dir).join(',') || undefined,
    models: mutes.models.map(({ dir }) => dir).join(',') || undefined,
    members: mutes.members.map(({ user_id }) => user_id).join(',') || undefined,
  };
  if (!mutes.watched && !Object.values(names).some(Boolean)) return null;
  return {
    // The key excludes the watched videos themselves, because returning to a list from one of them must not change the list.
    key: JSON.stringify([watched ? 'guest' : 'member', mutes.watched, names]),
    models: mutes.models.length > 0,
    fields: () =>
      watched ? { ...names, videos: (mutes.watched && watched().join(',')) || undefined } : {},
  };
}

/** Whether this browser has stored any mutes, whether a guest's or a member's. */
export const isMuting = (): boolean =>
  Object.values(STORED).some((key) => {
    const mutes = readStored(key, isMutes, NOTHING_MUTED);
    return mutingOf(mutes, null) !== null;
  });
