/** The votes on an object, including the visitor's own. The buttons and the counts next to them share these. */
import { useMe } from '@/shared/account/use-me';
import { createStore } from '@/lib/store';
import { guestVote } from './guest-votes';
import { useMemberState, type Section } from './member-state';
import { atLeast, type Vote, type Votes } from './vote-count';

interface VoteState {
  vote: Vote | 0;
  votes: Votes;
}

/** Votes that were given since the page was loaded, by object name. */
const given = createStore<Partial<Record<string, VoteState>>>({});

export const voteName = (section: Section, id: number): string => `${section} ${String(id)}`;

export const showVote = (name: string, shown: VoteState | undefined): void =>
  given.write({ ...given.read(), [name]: shown });

/** `votes` are the votes in the response. */
export function useVotes(section: Section, id: number, votes: Votes): VoteState {
  const me = useMe();
  const state = useMemberState(section, id);
  const name = voteName(section, id);
  const since = given.useValue()[name];
  if (since) return since;
  const vote = me === null ? guestVote(name) : (state?.vote ?? 0);
  return { vote, votes: atLeast(votes, vote) };
}
