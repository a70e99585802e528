import type { Caption } from '@/api/types';
import { usePlayerText } from '@/i18n/player';
import { Shape } from '@/ui/icons';
import { COLORS, keyOf, SIZES, type Captions } from './captions';
import { Options, PlayerPanel } from './player-panel';

interface Props {
  list: readonly Caption[];
  captions: Captions;
  open: boolean;
  onOpen: (open: boolean) => void;
}

/** Chooses captions and their look. */
export function CaptionSettings({ list, captions, open, onOpen }: Props) {
  const say = usePlayerText();
  const { track, setTrack, look, setLook } = captions;
  const named = new Map(list.map((caption) => [keyOf(caption), caption]));
  const nameOf = (key: string) => {
    const caption = named.get(key);
    if (!caption) return say('captionsOff');
    return caption.kind === 'captions' ? `${caption.label} (CC)` : caption.label;
  };
  return (
    <PlayerPanel
      label={say('captions')}
      icon={
        <span className="lantern-captions" data-on={track ? '' : undefined}>
          <Shape
            d="M3 6h18v12H3zM10.5 10.5c-1-1.3-3.5-1-3.5 1.5s2.5 2.8 3.5 1.5M17 10.5c-1-1.3-3.5-1-3.5 1.5s2.5 2.8 3.5 1.5"
            size={24}
          />
        </span>
      }
      open={open}
      onOpen={onOpen}
    >
      <Options
        title={say('captions')}
        values={['', ...named.keys()]}
        current={track}
        text={nameOf}
        lang={(key) => named.get(key)?.lang}
        onChange={setTrack}
      />
      <Options
        title={say('captionSize')}
        values={SIZES}
        current={look.size}
        text={(size) => say(`size.${size}`)}
        onChange={(size) => setLook({ ...look, size })}
      />
      <Options
        title={say('captionColor')}
        values={COLORS}
        current={look.color}
        text={(color) => say(`color.${color}`)}
        onChange={(color) => setLook({ ...look, color })}
      />
    </PlayerPanel>
  );
}
