/** A button that shows a panel below it: navigation, language, sort. */
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { cn } from '@/lib/cn';
import { Icon } from './icons';

interface Props {
  /** What the button shows. */
  label: ReactNode;
  /** Its accessible name, where the label alone does not say it. */
  name?: string;
  align?: 'start' | 'end';
  className?: string;
  panelClassName?: string;
  /** Called to draw the panel, only while it is open. */
  children: (close: () => void) => ReactNode;
}

/** Closes on Escape (focus returns to the button), on a click elsewhere and when focus leaves. */
export function Disclosure({
  label,
  name,
  align = 'start',
  className,
  panelClassName,
  children,
}: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
      document.removeEventListener('keydown', escape);
    };
  }, [open]);
  return (
    <div ref={root} className="relative">
      <button
        ref={button}
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={name}
        onClick={() => {
          setOpen(!open);
        }}
        className={cn(
          'flex h-10 items-center gap-1.5 rounded-control px-3 text-sm font-medium transition-colors hover:bg-raised',
          open && 'bg-raised',
          className,
        )}
      >
        {label}
        <span className={cn('text-muted transition-transform', open && 'rotate-180')}>
          <Icon name="down" size={16} />
        </span>
      </button>
      {open && (
        <div
          id={id}
          className={cn(
            'absolute top-full z-40 mt-2 max-h-[70dvh] min-w-48 animate-[appear_120ms] overflow-y-auto rounded-card border border-line bg-surface p-2 shadow-pop',
            align === 'end' ? 'end-0' : 'start-0',
            panelClassName,
          )}
        >
          {children(() => {
            setOpen(false);
          })}
        </div>
      )}
    </div>
  );
}

/** The look of a row in a panel. */
export const panelItem = (current: boolean): string =>
  cn(
    'flex min-h-10 w-full items-center justify-between gap-4 rounded-control px-3 py-2 text-start text-sm transition-colors hover:bg-raised',
    current && 'font-semibold text-accent',
  );
