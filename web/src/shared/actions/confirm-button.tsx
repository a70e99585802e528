/** A deed that can't be undone asks once more, in the button's own place. */
import { useState, type ReactNode } from 'react';
import { cn } from '@/lib/cn';
import { useActionText } from '@/i18n/actions';

interface Props {
  /** What the first button says. */
  label: string;
  icon?: ReactNode;
  /** Accessible name, where the label does not say what is meant. */
  name?: string;
  /** The question before it is done. */
  question?: string;
  /** The icon alone where there is little room. */
  compact?: boolean;
  onConfirm: () => void;
}

export const small =
  'inline-flex min-h-8 items-center gap-1.5 rounded-control px-2 text-start text-xs font-semibold transition-colors pointer-coarse:min-h-11';

export function ConfirmButton({ label, icon, name, question, compact = false, onConfirm }: Props) {
  const say = useActionText();
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <button
        type="button"
        aria-label={name}
        onClick={() => {
          setAsking(true);
        }}
        className={cn(small, 'text-muted hover:bg-raised hover:text-ink')}
      >
        {icon}
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
        // The eye and the finger are here already.
        ref={(node) => node?.focus()}
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
        className={cn(small, 'bg-raised text-danger hover:bg-hover')}
      >
        {label}
      </button>
      <button
        type="button"
        onClick={() => {
          setAsking(false);
        }}
        className={cn(small, 'text-muted hover:bg-raised hover:text-ink')}
      >
        {say('cancel')}
      </button>
    </span>
  );
}
