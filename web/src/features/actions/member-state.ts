/** What the member who is signed in has to do with an object: voted, saved, follows. Guests have nothing. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMe } from '@/features/account/use-me';
import { getJson } from '@/lib/http';

export type Section = 'video' | 'album' | 'model' | 'playlist' | 'user' | 'channel';

export interface MemberState {
  vote: -1 | 0 | 1;
  favourite: boolean;
  watch_later: boolean;
  /** Ids of the member's own playlists that hold the video. */
  playlists: number[];
  subscribed: boolean;
  /** `requested`: the member asked; `incoming`: the member is asked. */
  friend: 'none' | 'requested' | 'incoming' | 'accepted';
  blocked: boolean;
  own: boolean;
  /** Seconds; 0 where nothing was watched. */
  stopped_at: number;
}

/** Nothing done yet. */
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

export const memberStateQuery = (section: Section, id: number) => {
  const url = `/api/member_state.php?section=${section}&object_id=${String(id)}`;
  return queryOptions({
    queryKey: [url],
    queryFn: ({ signal }) => getJson<MemberState>(url, signal),
    // Another tab may have changed it.
    staleTime: 0,
  });
};

/** The state, `NOTHING` for guests; undefined while it is not known. */
export function useMemberState(section: Section, id: number): MemberState | undefined {
  const me = useMe();
  const { data } = useQuery({ ...memberStateQuery(section, id), enabled: me != null });
  if (me === undefined) return undefined;
  return me ? data : NOTHING;
}
