/** Which captions are shown, and how they look. Both are remembered for all videos. */
import { useCallback, useEffect, useState, type RefObject } from 'react';
import type { Caption } from '@/api/types';
import { readStored, writeStored } from '@/lib/storage';

const TRACK_KEY = 'lantern.captions';
const LOOK_KEY = 'lantern.captionLook';

export const SIZES = ['small', 'medium', 'large', 'huge'] as const;
export const COLORS = ['white', 'yellow', 'cyan', 'green'] as const;

export interface CaptionLook {
  size: (typeof SIZES)[number];
  color: (typeof COLORS)[number];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isLook = (value: unknown): value is CaptionLook =>
  typeof value === 'object' &&
  value !== null &&
  'size' in value &&
  'color' in value &&
  SIZES.some((size) => size === value.size) &&
  COLORS.some((color) => color === value.color);

/** Identifies a track of a video. */
export const keyOf = ({ lang, kind }: Pick<Caption, 'lang' | 'kind'>): string => `${lang} ${kind}`;

/** Returns the key of the wanted track, or of another one in that language. Without one, no captions are shown. */
export function fittingTrack(captions: readonly Caption[], wanted: string): string {
  const lang = wanted.split(' ')[0];
  const found =
    captions.find((caption) => keyOf(caption) === wanted) ??
    captions.find((caption) => caption.lang === lang);
  return found ? keyOf(found) : '';
}

export interface Captions {
  /** The key of the shown track, or an empty string. */
  track: string;
  setTrack: (key: string) => void;
  /** Shows captions or hides them. The first track in the visitor's language is shown if there was none before. */
  toggle: () => void;
  look: CaptionLook;
  setLook: (look: CaptionLook) => void;
}

/** Returns the tracks on the page. */
const tracksOf = (video: RefObject<HTMLVideoElement | null>) =>
  [...(video.current?.querySelectorAll<HTMLTrackElement>('track[data-caption]') ?? [])].map(
    ({ dataset, track }) => ({ key: dataset.caption ?? '', text: track }),
  );

/** Whether the browser's own controls are shown, as in full screen on phones. */
const hasOwnMenu = (video: HTMLVideoElement & { webkitDisplayingFullscreen?: boolean }): boolean =>
  video.webkitDisplayingFullscreen === true;

/** `isBegun` tells whether the tracks are on the page. */
export function useCaptions(
  video: RefObject<HTMLVideoElement | null>,
  captions: readonly Caption[],
  lang: string,
  isBegun: boolean,
): Captions {
  const [wanted, setWanted] = useState(() => readStored(TRACK_KEY, isText, ''));
  const [last, setLast] = useState(wanted);
  const [look, keepLook] = useState(() =>
    readStored<CaptionLook>(LOOK_KEY, isLook, { size: 'medium', color: 'white' }),
  );
  const track = fittingTrack(captions, wanted);
  const setTrack = useCallback((key: string) => {
    writeStored(TRACK_KEY, key);
    setWanted(key);
    if (key) setLast(key);
  }, []);
  useEffect(() => {
    const element = video.current;
    if (!element) return undefined;
    const list = element.textTracks;
    const show = () => {
      for (const { key, text } of tracksOf(video))
        text.mode = key === track ? 'showing' : 'disabled';
    };
    show();
    const onChange = () => {
      const shown = tracksOf(video).filter(({ text }) => text.mode === 'showing');
      const [other] = shown;
      // Browsers show a track in the visitor's language beside another one, such as that of the chapters.
      if (!hasOwnMenu(element) || shown.some(({ key }) => key === track)) show();
      else if (other) setTrack(other.key);
      // Tracks are also disabled when a video is loaded again, so this is not remembered.
      else setWanted('');
    };
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  }, [video, track, isBegun, captions, setTrack]);
  const first = captions[0] ? keyOf(captions[0]) : '';
  return {
    track,
    setTrack,
    toggle: () => {
      if (track) setTrack('');
      else setTrack(fittingTrack(captions, last) || fittingTrack(captions, lang) || first);
    },
    look,
    setLook: (chosen) => {
      writeStored(LOOK_KEY, chosen);
      keepLook(chosen);
    },
  };
}
