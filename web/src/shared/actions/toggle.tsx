/** The buttons below a video: an icon, a word, on or off. */
import { type ReactNode } from 'react';
import { useActionText } from '@/i18n/actions';
import { cn } from '@/lib/cn';
import { useOpen } from '@/lib/use-open';
import type { Reported } from '@/shared/contact/contact-request';
import { ReportDialog } from './dialogs';
import { MemberIcon } from '@/ui/member-icons';

const pill =
  'inline-flex h-10 shrink-0 items-center gap-2 rounded-control px-3.5 text-sm font-semibold whitespace-nowrap transition-colors';

interface Props {
  /** Pressed or not; left out for what only does something once. */
  on?: boolean | undefined;
  /** Looks pressed without being so: its word changes with what it does, or it opens a dialog. */
  lit?: boolean;
  opens?: 'dialog';
  /** Accessible name, where the content is a number or an icon alone. */
  name?: string;
  icon: ReactNode;
  children?: ReactNode;
  onClick: () => void;
}

export function Toggle({ on, lit = on, opens, name, icon, children, onClick }: Props) {
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-haspopup={opens}
      aria-label={name}
      title={name}
      onClick={onClick}
      className={cn(pill, lit ? 'bg-accent-soft text-accent' : 'bg-raised hover:bg-hover')}
    >
      {icon}
      {children}
    </button>
  );
}

export function ReportToggle({ about }: { about: Reported }) {
  const say = useActionText();
  const { isOpen, open, close } = useOpen();
  return (
    <>
      <Toggle
        name={say('report')}
        opens="dialog"
        icon={<MemberIcon name="flag" />}
        onClick={open}
      />
      {isOpen && <ReportDialog about={about} onClose={close} />}
    </>
  );
}

/** One line of buttons, which scrolls sideways where it is too narrow: its height is always the same. */
export function ActionRow({ children }: { children: ReactNode }) {
  return (
    <div className="-mx-4 flex h-12 items-center gap-2 overflow-x-auto px-4 [scrollbar-width:none] sm:-mx-1 sm:px-1">
      {children}
    </div>
  );
}
