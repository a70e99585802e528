/** Shows an upload's stage with an icon and words, never by color alone. */
import type { ReactNode } from 'react';
import { useUploadText } from '@/i18n/upload';
import { cn } from '@/lib/cn';
import { Icon } from '@/ui/icons';
import { MemberIcon } from '@/ui/member-icons';
import type { Row, Stage } from './rows';
import { stageText } from './stage-text';

const ICONS: Record<Stage, ReactNode> = {
  checking: <Icon name="search" size={16} />,
  refused: <MemberIcon name="warning" size={16} />,
  held: <MemberIcon name="warning" size={16} />,
  queued: <Icon name="clock" size={16} />,
  sending: <MemberIcon name="upload" size={16} />,
  paused: <MemberIcon name="pause" size={16} />,
  broken: <MemberIcon name="warning" size={16} />,
  interrupted: <MemberIcon name="pause" size={16} />,
  undescribed: <MemberIcon name="edit" size={16} />,
  waiting: <Icon name="clock" size={16} />,
  working: <MemberIcon name="again" size={16} />,
  choosing: <MemberIcon name="edit" size={16} />,
  moderation: <Icon name="eye" size={16} />,
  scheduled: <Icon name="clock" size={16} />,
  published: <Icon name="check" size={16} />,
  rejected: <MemberIcon name="block" size={16} />,
  failed: <MemberIcon name="warning" size={16} />,
};

/** Stages at which the upload has stopped for good or until the member acts. */
const BAD: readonly Stage[] = ['refused', 'broken', 'rejected', 'failed'];
const ASKS: readonly Stage[] = ['held', 'interrupted', 'undescribed', 'choosing'];

export function StageLine({ row }: { row: Row }) {
  const say = useUploadText();
  const { stage } = row;
  return (
    <p
      className={cn(
        'flex items-center gap-2 text-sm font-semibold',
        BAD.includes(stage) ? 'text-danger' : ASKS.includes(stage) ? 'text-accent' : 'text-muted',
      )}
    >
      {ICONS[stage]}
      {stageText(row, say)}
    </p>
  );
}
