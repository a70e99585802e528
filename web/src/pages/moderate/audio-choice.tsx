/** Plays the audio tracks of a film. The file, which plays at first, offers no choice in most browsers. */
import { useEffect, useId, useState, type RefObject } from 'react';
import type { AudioOption } from '@/api/types';
import { usePlayerText } from '@/i18n/player';
import { audioName } from '@/shared/player/audio-name';
import { control } from '@/ui/form/field';

interface Props {
  video: RefObject<HTMLVideoElement | null>;
  /** The playlist with the tracks. */
  list: string;
  tracks: readonly AudioOption[];
}

export function AudioChoice({ video, list, tracks }: Props) {
  const say = usePlayerText();
  const id = useId();
  /** The index of the chosen track, or `null` before the first choice. */
  const [chosen, setChosen] = useState<number | null>(null);
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (chosen === null || !element) return undefined;
    let end: (() => void) | undefined;
    let isOver = false;
    const play = async () => {
      const { default: Hls } = await import('hls.js');
      if (isOver) return;
      const hls = new Hls({ startPosition: element.currentTime, enableWorker: false });
      end = () => hls.destroy();
      hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, () => {
        hls.audioTrack = chosen;
      });
      hls.on(Hls.Events.ERROR, (_event, { fatal }) => {
        if (fatal) setIsBroken(true);
      });
      hls.loadSource(list);
      hls.attachMedia(element);
      await element.play();
    };
    play().catch(() => {
      if (!isOver) setIsBroken(true);
    });
    return () => {
      isOver = true;
      end?.();
    };
  }, [video, list, chosen]);
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {say('audio')}
      </label>
      <select
        id={id}
        className={`${control} h-11`}
        onChange={(event) => {
          setIsBroken(false);
          setChosen(event.target.selectedIndex);
        }}
      >
        {tracks.map((track, index) => (
          <option key={index} lang={track.lang ?? undefined}>
            {audioName(tracks, index, say)}
          </option>
        ))}
      </select>
      {isBroken && <p role="alert">{say('decode')}</p>}
    </div>
  );
}
