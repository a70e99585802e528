import { useCallback, useEffect, useId, useRef, type RefObject } from 'react';
import { useT } from '@/i18n';
import { usePlayerText } from '@/i18n/player';
import { formatNumber } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { KeysToggle } from '@/shared/keys/keys-toggle';
import { Icon } from '@/ui/icons';
import { SPEEDS } from './player-keys';

interface Props {
  video: RefObject<HTMLVideoElement | null>;
  speed: number;
  heights: number[];
  /** 0 means automatic. */
  quality: number;
  /** The current quality, or 0 if it is unknown. */
  height: number;
  onQuality: (height: number) => void;
  open: boolean;
  onOpen: (open: boolean) => void;
}

export function PlayerSettings(props: Props) {
  const { video, speed, heights, quality, height, onQuality, open, onOpen } = props;
  const t = useT();
  const say = usePlayerText();
  const { lang } = useVisitor();
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
  const isAuto = quality === 0 && height > 0;
  const auto = isAuto ? say('autoNow', { height }) : say('auto');
  return (
    <div ref={root} className="lantern-settings">
      <button
        ref={toggle}
        type="button"
        aria-label={say('settings')}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => onOpen(!open)}
      >
        <Icon name="settings" size={22} />
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
          <div>
            <Options
              title={say('speed')}
              name={`${id}-speed`}
              values={SPEEDS}
              current={speed}
              text={(value) => (value === 1 ? say('normal') : `${formatNumber(value, lang)}×`)}
              onChange={(value) => {
                if (video.current) video.current.playbackRate = value;
              }}
            />
            <KeysToggle label={say('shortcuts')} />
          </div>
          {heights.length > 0 && (
            <Options
              title={say('quality')}
              name={`${id}-quality`}
              values={[0, ...heights]}
              current={quality}
              text={(value) => (value ? `${String(value)}p` : auto)}
              onChange={onQuality}
            />
          )}
        </div>
      )}
    </div>
  );
}

interface OptionsProps {
  title: string;
  name: string;
  values: readonly number[];
  current: number;
  text: (value: number) => string;
  onChange: (value: number) => void;
}

function Options({ title, name, values, current, text, onChange }: OptionsProps) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {values.map((value) => (
        <label key={value}>
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
