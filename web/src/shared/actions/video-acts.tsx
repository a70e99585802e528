/** A member's actions on a video, which the row below the player and the card menu use. */
import type { MemberState } from './member-state';
import type { ActionText } from '@/i18n/actions';
import type { Act } from './deed';

const OF = {
  favourite: { key: 'favourite', done: 'didFavourite', undone: 'didUnfavourite' },
  watch_later: { key: 'watch_later', done: 'didLater', undone: 'didUnlater' },
} as const;

export type VideoAct = keyof typeof OF;

/** Returns the action that turns something on, or off if it is already on. */
export function toggled(
  name: VideoAct,
  id: number,
  state: MemberState | undefined,
  say: ActionText,
): Act {
  const { key, done, undone } = OF[name];
  const on = state?.[key] ?? false;
  return {
    fields: { act: name, section: on ? 'rem' : 'add', object_id: id },
    change: { [key]: !on },
    done: say(on ? undone : done),
    undo: on ? { act: name, section: 'add', object_id: id } : undefined,
  };
}
