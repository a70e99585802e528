/** One click on a member's action: the page answers at once, and takes it back where the server refuses. */
import type { Form } from '@/api/call';
import { post } from '@/api/client';
import { memberStateQuery, NOTHING, type MemberState, type Section } from './member-state';
import { useOptimistic } from './use-optimistic';

export type StatFields = Form<'/api/stat.php'>;

export interface Act {
  fields: StatFields;
  /** What is so once it has worked. */
  change: Partial<MemberState>;
  /** Said then. */
  done: string;
  /** What takes it back, of what takes something away. */
  undo?: StatFields | undefined;
}

/** `act({ fields, change, done })` for one object; guests sign in first, then it is done. */
export function useAct(section: Section, id: number): (act: Act) => Promise<void> {
  const atOnce = useOptimistic();
  const [url = ''] = memberStateQuery(section, id).queryKey;
  return ({ fields, change, done, undo }) =>
    atOnce<MemberState>({
      url,
      change: (state) => ({ ...state, ...change }),
      unknown: NOTHING,
      send: () => post('/api/stat.php', fields),
      done,
      undo: undo && (() => post('/api/stat.php', undo)),
      // A second click on the same waits for none of them, it is ignored.
      name: `${section} ${String(id)} ${fields.act}`,
    });
}
