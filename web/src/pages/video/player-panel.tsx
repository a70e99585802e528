/** A button of the player that opens a panel with options. */
import { useCallback, useEffect, useId, useRef, type ReactNode } from 'react';
import { useT } from '@/i18n';
import { Icon } from '@/ui/icons';

interface Props {
  label: string;
  icon: ReactNode;
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactNode;
}

export function PlayerPanel({ label, icon, open, onOpen, children }: Props) {
  const t = useT();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    onOpen(false);
    toggle.current?.focus();
  }, [onOpen]);
  useEffect(() => {
    if (!open) return;
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) onOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      close();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('keydown', escape);
    };
  }, [open, onOpen, close]);
  return (
    <div ref={root} className="lantern-settings">
      <button
        ref={toggle}
        type="button"
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => onOpen(!open)}
      >
        {icon}
      </button>
      {open && (
        <div id={id} className="lantern-settings-panel">
          {/* Needed when the panel covers the button that opened it. */}
          <button
            type="button"
            className="lantern-settings-close"
            aria-label={t('action.close')}
            onClick={close}
          >
            <Icon name="close" size={22} />
          </button>
          {children}
        </div>
      )}
    </div>
  );
}

interface OptionsProps<T> {
  title: string;
  values: readonly T[];
  current: T;
  text: (value: T) => string;
  onChange: (value: T) => void;
  /** The language of the text of a value. */
  lang?: (value: T) => string | undefined;
}

export function Options<T extends string | number>(props: OptionsProps<T>) {
  const { title, values, current, text, onChange, lang } = props;
  const name = useId();
  return (
    <fieldset>
      <legend>{title}</legend>
      {values.map((value) => (
        <label key={value} lang={lang?.(value)}>
          <input
            type="radio"
            name={name}
            checked={value === current}
            onChange={() => onChange(value)}
          />
          {text(value)}
        </label>
      ))}
    </fieldset>
  );
}
