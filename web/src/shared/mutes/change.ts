/** Adds and removes mutes. This module is pure. */
import { limits } from '@/lib/limits';
import type { Mutes } from './rules';

/** Something that can be muted, in the form in which it appears in lists. */
export type MuteTarget =
  | { kind: 'categories' | 'models'; dir: string; title: string }
  | { kind: 'members'; user_id: number; title: string };

export const isMuted = (mutes: Mutes, what: MuteTarget): boolean =>
  what.kind === 'members'
    ? mutes.members.some(({ user_id }) => user_id === what.user_id)
    : mutes[what.kind].some(({ dir }) => dir === what.dir);

export const withoutMute = (mutes: Mutes, what: MuteTarget): Mutes =>
  what.kind === 'members'
    ? { ...mutes, members: mutes.members.filter(({ user_id }) => user_id !== what.user_id) }
    : { ...mutes, [what.kind]: mutes[what.kind].filter(({ dir }) => dir !== what.dir) };

/** Returns the mutes with the new mute first among those of its kind, or null if the limit is reached. */
export function withMute(mutes: Mutes, what: MuteTarget): Mutes | null {
  const others = withoutMute(mutes, what);
  if (others[what.kind].length >= limits().mutes) return null;
  return what.kind === 'members'
    ? { ...others, members: [{ user_id: what.user_id, username: what.title }, ...others.members] }
    : { ...others, [what.kind]: [{ dir: what.dir, title: what.title }, ...others[what.kind]] };
}
