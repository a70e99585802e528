/** Texts of the member's own area. */
import { namespace, type Say } from './namespace';
import type en from './member/en.json';

export type MemberTextKey = keyof typeof en;
export type MemberText = Say<MemberTextKey>;

export const { useSay: useMemberText } = namespace<MemberTextKey>(
  'member',
  import.meta.glob<object>('./member/*.json', { import: 'default' }),
);
