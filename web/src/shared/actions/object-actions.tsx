/** The row of an album, a playlist or a model. */
import { Suspense, useState } from 'react';
import { ReportDialog } from './dialogs';
import { ActionIcon } from './icons';
import { SubscribeButton } from './subscribe';
import { useActionText } from '@/i18n/actions';
import { ActionRow, Toggle } from './toggle';
import { useViewBeacon } from './use-view-beacon';
import { VoteButtons } from './vote';
import type { Votes } from './vote-count';

interface Props {
  section: 'album' | 'playlist' | 'model';
  id: number;
  title: string;
  /** Left out for what can't be voted on. */
  votes?: Votes;
}

export default function ObjectActions({ section, id, title, votes }: Props) {
  const say = useActionText();
  const [reporting, setReporting] = useState(false);
  useViewBeacon(section, id);
  return (
    <ActionRow>
      {section === 'model' && <SubscribeButton section="model" id={id} />}
      {votes && <VoteButtons section={section} id={id} votes={votes} />}
      <Toggle
        name={say('report')}
        opens="dialog"
        icon={<ActionIcon name="flag" />}
        onClick={() => {
          setReporting(true);
        }}
      />
      {reporting && (
        <Suspense>
          <ReportDialog
            section={section}
            id={id}
            title={title}
            onClose={() => {
              setReporting(false);
            }}
          />
        </Suspense>
      )}
    </ActionRow>
  );
}
