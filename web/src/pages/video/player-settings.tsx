import type { RefObject } from 'react';
import type { AudioOption } from '@/api/types';
import { usePlayerText } from '@/i18n/player';
import { formatNumber } from '@/lib/format';
import { useVisitor } from '@/lib/visitor';
import { KeysToggle } from '@/shared/keys/keys-toggle';
import { audioName } from '@/shared/player/audio-name';
import { Icon } from '@/ui/icons';
import { SPEEDS } from './player-keys';
import { Options, PlayerPanel } from './player-panel';

interface Props {
  video: RefObject<HTMLVideoElement | null>;
  speed: number;
  heights: number[];
  /** 0 means automatic. */
  quality: number;
  /** The current quality, or 0 if it is unknown. */
  height: number;
  onQuality: (height: number) => void;
  tracks: readonly AudioOption[];
  /** The index of the audio track, or -1 if there is no choice. */
  audio: number;
  onAudio: (index: number) => void;
  open: boolean;
  onOpen: (open: boolean) => void;
}

export function PlayerSettings(props: Props) {
  const { video, speed, heights, quality, height, onQuality, open, onOpen } = props;
  const { tracks, audio, onAudio } = props;
  const say = usePlayerText();
  const { lang } = useVisitor();
  const isAuto = quality === 0 && height > 0;
  const auto = isAuto ? say('autoNow', { height }) : say('auto');
  return (
    <PlayerPanel
      label={say('settings')}
      icon={<Icon name="settings" size={22} />}
      open={open}
      onOpen={onOpen}
    >
      <div>
        <Options
          title={say('speed')}
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
          values={[0, ...heights]}
          current={quality}
          text={(value) => (value ? `${String(value)}p` : auto)}
          onChange={onQuality}
        />
      )}
      {audio !== -1 && (
        <Options
          title={say('audio')}
          values={[...tracks.keys()]}
          current={audio}
          text={(index) => audioName(tracks, index, say)}
          lang={(index) => tracks[index]?.lang ?? undefined}
          onChange={onAudio}
        />
      )}
    </PlayerPanel>
  );
}
