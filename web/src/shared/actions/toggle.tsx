/** The buttons below a video. Each has an icon and a label, and can be on or off. */
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { useActionText } from '@/i18n/actions';
import { cn } from '@/lib/cn';
import { useOpen } from '@/lib/use-open';
import type { ReportSubject } from '@/shared/contact/contact-request';
import { ReportDialog } from './dialogs';
import { MemberIcon } from '@/ui/member-icons';

const pill =
  'inline-flex h-10 min-w-11 shrink-0 items-center justify-center gap-2 rounded-control px-2.5 text-sm font-semibold whitespace-nowrap transition-colors pointer-coarse:h-11';

interface Props {
  /** Whether the button is pressed. It is left out for one-time actions. */
  on?: boolean | undefined;
  /** Whether the button looks pressed but has no such state: its label changes with its action, or it opens a dialog. */
  lit?: boolean;
  opens?: 'dialog';
  /** The accessible name and tooltip, if the content is only a number, an icon or a short word. */
  name?: string;
  icon: ReactNode;
  /** A label that is visually hidden if the row is too narrow. Screen readers still read it. */
  word?: string;
  children?: ReactNode;
  onClick: () => void;
}

export function Toggle({ on, lit = on, opens, name, icon, word, children, onClick }: Props) {
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-haspopup={opens}
      aria-label={name}
      title={name ?? word}
      onClick={onClick}
      className={cn(pill, lit ? 'bg-accent-soft text-accent' : 'bg-raised hover:bg-hover')}
    >
      {icon}
      {word && <Word>{word}</Word>}
      {children}
    </button>
  );
}

export function ReportToggle({ about }: { about: ReportSubject }) {
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

/** An icon's label. */
export const Word = ({ children }: { children: string }) => (
  <span className="in-data-folded:sr-only">{children}</span>
);

interface RowProps {
  /** Whether the row doesn't fit on one line on a phone, so that a second line is reserved. */
  long?: boolean;
  children: ReactNode;
}

/** A row of buttons. It shows only icons if the labels don't fit, and uses two lines if the icons don't fit either. */
export function ActionRow({ long = false, children }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = row.current;
    if (!node) return;
    const fit = () => {
      node.removeAttribute('data-folded');
      node.toggleAttribute('data-folded', node.scrollWidth > node.clientWidth);
    };
    fit();
    const size = new ResizeObserver(fit);
    size.observe(node);
    // Labels change with the language and when a button is pressed.
    const words = new MutationObserver(fit);
    words.observe(node, { childList: true, characterData: true, subtree: true });
    return () => {
      size.disconnect();
      words.disconnect();
    };
  }, []);
  return (
    <div
      ref={row}
      className={cn('flex min-h-12 items-center gap-2 data-folded:flex-wrap', long && longRow)}
    >
      {children}
    </div>
  );
}

/** The height of a long row, for its placeholder. */
export const longRow = 'max-sm:min-h-24';
