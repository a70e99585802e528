/** One click on a member's action, as it can be kept and done later. */
import type { Form } from '@/api/call';
import type { MemberState, Section } from './member-state';

export type StatFields = Form<'/api/stat.php'>;

export interface Act {
  fields: StatFields;
  /** What is so once it has worked, besides the playlists that hold it. */
  change: Partial<MemberState>;
  /** Said then. */
  done: string;
  /** What takes it back, of what takes something away. */
  undo?: StatFields | undefined;
}

export interface Deed {
  section: Section;
  id: number;
  act: Act;
}
