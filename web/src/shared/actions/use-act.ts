/** One click on a member's action: the page answers at once, and takes it back where the server refuses. */
import { useCallback } from 'react';
import { post } from '@/api/client';
import type { Act, Deed } from './deed';
import { memberStateQuery, NOTHING, type MemberState, type Section } from './member-state';
import { useOptimistic } from './use-optimistic';

/** The state once the act has worked. Of playlists it changes one: others may be on their way. */
function changed(state: MemberState, { fields, change }: Act): MemberState {
  const next = { ...state, ...change };
  const { act, section, object_id: playlist } = fields;
  if (act !== 'playlist' || typeof playlist !== 'number') return next;
  const others = state.playlists.filter((other) => other !== playlist);
  return { ...next, playlists: section === 'add' ? [...others, playlist] : others };
}

/** Guests sign in first, or sign up; then it is done. */
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
        send: () => post('/api/stat.php', fields),
        done,
        undo: undo && (() => post('/api/stat.php', undo)),
        // A second click on the same waits for none of them, it is ignored.
        name: `${section} ${String(id)} ${fields.act} ${String(fields.object_id)}`,
        deed,
      });
    },
    [atOnce],
  );
}

/** `act({ fields, change, done })` for one object. */
export function useAct(section: Section, id: number): (act: Act) => Promise<void> {
  const perform = useDeed();
  return (act) => perform({ section, id, act });
}
