/** An irreversible action. The confirmation is shown in the button's place. */
import type { ComponentProps } from 'react';
import { cn } from '@/lib/cn';
import { useOpen } from '@/lib/use-open';
import { useActionText } from '@/i18n/actions';
import { MemberIcon } from '@/ui/member-icons';

interface Props {
  label: string;
  /** The accessible name, if the label is ambiguous. */
  name?: string;
  /** The confirmation's text. */
  question?: string;
  /** Whether to show only an icon, for tight spaces. */
  compact?: boolean;
  onConfirm: () => void;
}

const small =
  'inline-flex min-h-8 items-center gap-1.5 rounded-control px-2 text-start text-xs font-semibold transition-colors pointer-coarse:min-h-11';

/** The style of actions below a list item. */
export const smallLook = `${small} text-muted hover:bg-raised hover:text-ink`;

/** The style of permanent deletion. */
export const deleteLook = `${small} text-danger hover:bg-raised`;

export const SmallButton = ({ className, ...rest }: ComponentProps<'button'>) => (
  <button type="button" {...rest} className={cn(smallLook, className)} />
);

export function ConfirmButton({ label, name, question, compact = false, onConfirm }: Props) {
  const say = useActionText();
  const asking = useOpen();
  if (!asking.isOpen) {
    return (
      <button type="button" aria-label={name} onClick={asking.open} className={deleteLook}>
        <MemberIcon name="bin" size={14} />
        <span className={cn(compact && 'max-lg:sr-only')}>{label}</span>
      </button>
    );
  }
  return (
    <span
      role="group"
      aria-label={question ?? say('sureDelete')}
      className="inline-flex flex-wrap items-center gap-1"
    >
      <span className="px-1 text-xs">{question ?? say('sureDelete')}</span>
      <button
        type="button"
        // The viewer's focus was on this spot before.
        ref={(node) => node?.focus()}
        onClick={() => {
          asking.close();
          onConfirm();
        }}
        className={cn(small, 'bg-danger text-bg hover:brightness-110')}
      >
        {label}
      </button>
      <SmallButton onClick={asking.close}>{say('cancel')}</SmallButton>
    </span>
  );
}
