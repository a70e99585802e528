/** Performs a member's action optimistically, and reverts it if the server refuses it. */
import { useCallback } from 'react';
import { sendAct } from '@/api/act';
import type { Act, Deed } from './deed';
import { memberStateQuery, NOTHING, type MemberState, type Section } from './member-state';
import { useOptimistic } from './use-optimistic';

/** Returns the state after the action. Only the action's own playlist changes, because changes to others may be pending. */
function changed(state: MemberState, { fields, change }: Act): MemberState {
  const next = { ...state, ...change };
  if (fields.act !== 'playlist') return next;
  const { section, object_id: playlist } = fields;
  const others = state.playlists.filter((other) => other !== playlist);
  return { ...next, playlists: section === 'add' ? [...others, playlist] : others };
}

/** Returns a function that does an action. Guests first log in or sign up. */
export function useDeed(): (deed: Deed) => Promise<void> {
  const atOnce = useOptimistic();
  return useCallback(
    (deed) => {
      const { section, id, act } = deed;
      const { fields, done, undo } = act;
      const [url = ''] = memberStateQuery(section, id).queryKey;
      return atOnce<MemberState>({
        url,
        change: (state) => changed(state, act),
        unknown: NOTHING,
        send: () => sendAct(fields),
        done,
        undo: undo && (() => sendAct(undo)),
        // While the action is pending, another click on the same button is ignored.
        name: `${section} ${String(id)} ${fields.act} ${String(fields.object_id)}`,
        deed,
      });
    },
    [atOnce],
  );
}

/** Returns a function for one object, called as `act({ fields, change, done })`. */
export function useAct(section: Section, id: number): (act: Act) => Promise<void> {
  const perform = useDeed();
  return (act) => perform({ section, id, act });
}
