/** A member's action as data, so that it can be stored and done later. */
import type { Form } from '@/api/call';
import type { MemberState, Section } from './member-state';

export type StatFields = Form<'/api/stat.php'>;

export interface Act {
  fields: StatFields;
  /** The state after the action succeeds, without the playlists that contain the object. */
  change: Partial<MemberState>;
  /** The message that is shown on success. */
  done: string;
  /** Undoes a removal. */
  undo?: StatFields | undefined;
}

export interface Deed {
  section: Section;
  id: number;
  act: Act;
}
