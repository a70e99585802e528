/** Like and dislike, also for guests. Pressing the same thumb again undoes the vote, and the other thumb switches it. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { errorText } from '@/i18n/errors';
import { formatNumber } from '@/lib/format';
import { sendAct, type ActOf } from '@/api/act';
import { useMe } from '@/shared/account/use-me';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { Icon } from '@/ui/icons';
import { changeKnown } from './at-once';
import { storeGuestVote } from './guest-votes';
import { memberStateQuery, type MemberState } from './member-state';
import { useActionText } from '@/i18n/actions';
import { Toggle } from './toggle';
import { showVote, useVotes, voteName } from './use-votes';
import { recounted, type Vote, type Votes } from './vote-count';

interface Props {
  section: ActOf<'vote'>['section'];
  id: number;
  votes: Votes;
}

export function VoteButtons({ section, id, votes }: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const me = useMe();
  const shown = useVotes(section, id, votes);
  const sending = useRef(false);
  const name = voteName(section, id);

  /** Sends the vote and stores the resulting state. */
  const tell = async (vote: Vote | 0, expected: Votes) => {
    const answer = await sendAct({ act: 'vote', section, object_id: id, vote });
    const { likes = expected.likes, dislikes = expected.dislikes } = answer;
    if (me === null) storeGuestVote(name, vote);
    changeKnown<MemberState>(client, memberStateQuery(section, id).queryKey, (state) => ({
      ...state,
      vote,
    }));
    return { vote, votes: { likes, dislikes } };
  };
  const send = async (thumb: Vote) => {
    if (sending.current) return;
    sending.current = true;
    let known = shown;
    const vote = shown.vote === thumb ? 0 : thumb;
    const expected = recounted(shown.votes, shown.vote, vote);
    showVote(name, { vote, votes: expected });
    try {
      // Only one vote is possible, so switching removes the old vote first.
      if (vote !== 0 && shown.vote !== 0) {
        known = await tell(0, recounted(shown.votes, shown.vote, 0));
      }
      known = await tell(vote, expected);
      showVote(name, known);
      await toast(vote === 0 ? say('didUnvote') : await errorText({ code: 'vote_success' }, lang));
    } catch (error) {
      showVote(name, known);
      await toast(await errorText(error, lang), 'error');
    } finally {
      sending.current = false;
    }
  };
  const button = (thumb: Vote, label: 'like' | 'dislike', count: number) => (
    <Toggle
      on={shown.vote === thumb}
      name={`${say(label)}: ${formatNumber(count, lang)}`}
      icon={<Icon name={label} size={18} />}
      onClick={() => void send(thumb)}
    >
      <span className="tabular-nums">{formatNumber(count, lang)}</span>
    </Toggle>
  );
  return (
    <>
      {button(1, 'like', shown.votes.likes)}
      {button(-1, 'dislike', shown.votes.dislikes)}
    </>
  );
}
