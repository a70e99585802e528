/** The member's relation to an object: whether it is voted on, saved or subscribed to. Guests have none. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Path, Query, Schema } from '@/api/call';
import { get } from '@/api/client';
import { useMe } from '@/shared/account/use-me';
import type { Vote } from './vote-count';

const STATE = '/api/member_state.php' satisfies Path;
export type Section = Query<typeof STATE>['section'];

/** `requested` means that the member sent the request, and `incoming` that the member received it. */
export type MemberState = Omit<Schema<'MemberState'>, 'vote'> & { vote: Vote | 0 };

export const NOTHING: MemberState = {
  vote: 0,
  favourite: false,
  watch_later: false,
  playlists: [],
  subscribed: false,
  friend: 'none',
  blocked: false,
  own: false,
  stopped_at: 0,
};

export const memberStateQuery = (section: Section, id: number) =>
  queryOptions({
    ...get<typeof STATE, MemberState>(STATE, { section, object_id: id }),
    // Another tab may have changed the relation.
    staleTime: 0,
  });

/** Returns the state, `NOTHING` for guests, or undefined while loading. */
export function useMemberState(section: Section, id: number): MemberState | undefined {
  const me = useMe();
  const { data } = useQuery({ ...memberStateQuery(section, id), enabled: me != null });
  if (me === undefined) return undefined;
  return me ? data : NOTHING;
}
