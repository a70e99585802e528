/** A member's action as data, so that it can be stored and done later. */
import type { ObjectAct } from '@/api/act';
import type { MemberState, Section } from './member-state';

export interface Act {
  fields: ObjectAct;
  /** The state after the action succeeds, without the playlists that contain the object. */
  change: Partial<MemberState>;
  /** The message that is shown on success. */
  done: string;
  /** Undoes a removal. */
  undo?: ObjectAct | undefined;
}

export interface Deed {
  section: Section;
  id: number;
  act: Act;
}
