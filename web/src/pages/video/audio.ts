/** Which audio track is heard. The choice is remembered for all videos. */
import type { AudioOption, VideoFile } from '@/api/types';
import Light from 'hls.js/light';

/** The segment loader. */
export type Loader = typeof Light;

/** Only the full build can choose between audio tracks. Most videos have one. */
export const loaderOf = ({ audio }: VideoFile): Loader | Promise<Loader> =>
  audio.length > 1 ? import('hls.js').then((full) => full.default) : Light;

/** Identifies a kind of track in all videos. */
export const keyOf = ({ lang, kind }: Pick<AudioOption, 'lang' | 'kind'>): string =>
  `${lang ?? ''} ${kind}`;

/** Returns the index of the wanted track, or of the default one. */
export const fittingAudio = (options: readonly AudioOption[], wanted: string): number =>
  Math.max(
    0,
    options.findIndex((option) => keyOf(option) === wanted),
  );
