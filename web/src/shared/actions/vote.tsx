/** Like and dislike. Guests may vote too; a second vote is refused with a message. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { errorText } from '@/i18n/errors';
import { formatNumber } from '@/lib/format';
import { post } from '@/api/client';
import { toast } from '@/ui/toast';
import { useVisitor } from '@/lib/visitor';
import { Icon } from '@/ui/icons';
import { memberStateQuery, useMemberState, type MemberState, type Section } from './member-state';
import { useActionText } from '@/i18n/actions';
import { Toggle } from './toggle';
import { atLeast, counted, type Vote, type Votes } from './vote-count';

interface Props {
  section: Section;
  id: number;
  votes: Votes;
}

export function VoteButtons({ section, id, votes }: Props) {
  const say = useActionText();
  const { lang } = useVisitor();
  const client = useQueryClient();
  const state = useMemberState(section, id);
  const [given, setGiven] = useState<{ vote: Vote; votes: Votes } | null>(null);
  const sending = useRef(false);
  const mine = given?.vote ?? state?.vote ?? 0;
  const shown = given?.votes ?? atLeast(votes, mine);

  const send = async (vote: Vote) => {
    if (sending.current) return;
    sending.current = true;
    const before = given;
    setGiven({ vote, votes: counted(shown, vote) });
    try {
      const answer = await post('/api/stat.php', {
        act: 'vote',
        section,
        object_id: id,
        vote,
      });
      setGiven({ vote, votes: { ...counted(shown, vote), ...numbers(answer) } });
      client.setQueryData<MemberState>(
        memberStateQuery(section, id).queryKey,
        (old) => old && { ...old, vote },
      );
      await toast(await errorText({ code: 'vote_success' }, lang));
    } catch (error) {
      setGiven(before);
      await toast(await errorText(error, lang), 'error');
    } finally {
      sending.current = false;
    }
  };
  const button = (vote: Vote, name: 'like' | 'dislike', count: number) => (
    <Toggle
      on={mine === vote}
      name={`${say(name)}: ${formatNumber(count, lang)}`}
      icon={<Icon name={name} size={18} />}
      onClick={() => void send(vote)}
    >
      <span className="tabular-nums">{formatNumber(count, lang)}</span>
    </Toggle>
  );
  return (
    <>
      {button(1, 'like', shown.likes)}
      {button(-1, 'dislike', shown.dislikes)}
    </>
  );
}

const numbers = ({ likes, dislikes }: Partial<Votes>): Partial<Votes> => ({
  ...(likes !== undefined && { likes }),
  ...(dislikes !== undefined && { dislikes }),
});
