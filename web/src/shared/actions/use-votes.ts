/** The votes of an object with the visitor's own, the same for the buttons and the figures beside them. */
import { useMe } from '@/shared/account/use-me';
import { createStore } from '@/lib/store';
import { guestVote } from './guest-votes';
import { useMemberState, type Section } from './member-state';
import { atLeast, type Vote, type Votes } from './vote-count';

interface VoteState {
  vote: Vote | 0;
  votes: Votes;
}

/** What was voted since the page was loaded, by the name of the object. */
const given = createStore<Partial<Record<string, VoteState>>>({});

export const voteName = (section: Section, id: number): string => `${section} ${String(id)}`;

export const showVote = (name: string, shown: VoteState | undefined): void => {
  given.write({ ...given.read(), [name]: shown });
};

/** `votes` are those the answer came with. */
export function useVotes(section: Section, id: number, votes: Votes): VoteState {
  const me = useMe();
  const state = useMemberState(section, id);
  const name = voteName(section, id);
  const since = given.useValue()[name];
  if (since) return since;
  const vote = me === null ? guestVote(name) : (state?.vote ?? 0);
  return { vote, votes: atLeast(votes, vote) };
}
