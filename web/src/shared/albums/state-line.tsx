/** Shows an own album's state with an icon and words, never by color alone. */
import type { ReactNode } from 'react';
import { useAlbumText } from '@/i18n/album';
import { cn } from '@/lib/cn';
import { Icon } from '@/ui/icons';
import { MemberIcon } from '@/ui/member-icons';
import type { AlbumState } from './state';

const ICONS: Record<AlbumState, ReactNode> = {
  draft: <MemberIcon name="edit" size={14} />,
  moderation: <Icon name="eye" size={14} />,
  rejected: <MemberIcon name="block" size={14} />,
  isPrivate: <Icon name="lock" size={14} />,
  published: <Icon name="check" size={14} />,
};
const LOOKS: Partial<Record<AlbumState, string>> = {
  draft: 'text-accent',
  rejected: 'text-danger',
};

export function StateLine({ state }: { state: AlbumState }) {
  const say = useAlbumText();
  return (
    <p
      className={cn(
        'flex items-center gap-1.5 text-xs font-semibold',
        LOOKS[state] ?? 'text-muted',
      )}
    >
      {ICONS[state]}
      {say(`is_${state}`)}
    </p>
  );
}
