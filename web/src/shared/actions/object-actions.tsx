/** The row of actions for an album, a playlist or a model. */
import MuteToggle from '@/shared/mutes/mute-toggle';
import { SubscribeButton } from './subscribe';
import { ActionRow, ReportToggle } from './toggle';
import { useViewBeacon } from './use-view-beacon';
import { VoteButtons } from './vote';
import type { Votes } from './vote-count';

interface Props {
  section: 'album' | 'playlist' | 'model';
  id: number;
  title: string;
  /** The model's name in addresses. */
  dir?: string;
  /** The object's votes, which are left out for objects without votes. */
  votes?: Votes;
}

export default function ObjectActions({ section, id, title, dir, votes }: Props) {
  useViewBeacon(section, id);
  return (
    <ActionRow>
      {section === 'model' && <SubscribeButton section="model" id={id} />}
      {dir && <MuteToggle what={{ kind: 'models', dir, title }} />}
      {votes && <VoteButtons section={section} id={id} votes={votes} />}
      <ReportToggle about={{ section, id, title }} />
    </ActionRow>
  );
}
