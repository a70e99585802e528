/** Plays a video in an element, and provides the qualities and errors. */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { VideoFile } from '@/api/types';
import { ApiError } from '@/lib/http';
import { readStored, writeStored } from '@/lib/storage';
import { attach, type Attachment, type Heard, type Means } from './attach';
import { fittingAudio, keyOf, loaderOf } from './audio';
import { codecOf } from './codec';
import { fitting } from './quality';
import { mayBeOutdated, troubleOf, type Trouble } from './trouble';

const QUALITY_KEY = 'lantern.quality';
const AUDIO_KEY = 'lantern.audio';
const isText = (value: unknown): value is string => typeof value === 'string';
const isHeight = (value: unknown): value is number => typeof value === 'number' && value >= 0;
/** How often, in ms, to check whether the connection is back. */
const AGAIN_MS = 5000;

export interface Stream {
  /** Whether playback was requested. Nothing is loaded before that. */
  isBegun: boolean;
  /** The available qualities, highest first. The list is empty if there is no choice. */
  heights: number[];
  /** The chosen quality, or 0 for automatic. */
  quality: number;
  /** The current quality, or 0 if it is unknown. */
  height: number;
  setQuality: (height: number) => void;
  /** The index of the audio track, or -1 if there is no choice. */
  audio: number;
  setAudio: (index: number) => void;
  /** Why playback has stopped. */
  trouble: Trouble | null;
  /** Tries again. */
  again: () => Promise<void>;
  /** The links that are in use. */
  file: VideoFile;
}

/** Returns what plays a video, without waiting for it if the video has one audio track and one set of renditions. */
function meansOf(file: VideoFile): Means | Promise<Means> {
  const [loader, codec] = [loaderOf(file), codecOf(file)];
  if (!(loader instanceof Promise) && !(codec instanceof Promise)) return { Hls: loader, codec };
  // Without the loader, the video plays as a file with its default audio track.
  const loading = Promise.resolve(loader).catch(() => null);
  return Promise.all([loading, codec]).then(([Hls, found]) => ({ Hls, codec: found }));
}

/** `first` and `startTime` (in seconds) are used only once. `renew` fetches fresh links, or throws the reason why there are none. */
export function useStream(
  element: RefObject<HTMLVideoElement | null>,
  first: VideoFile,
  startTime: number,
  renew: () => Promise<VideoFile>,
): Stream {
  const attached = useRef<Attachment>(null);
  const [begun] = useState({ file: first, at: startTime });
  const [isBegun, setIsBegun] = useState(false);
  const [file, setFile] = useState(first);
  const [heights, setHeights] = useState<number[]>([]);
  const [height, setHeight] = useState(0);
  const [wanted, setWanted] = useState(() => readStored(QUALITY_KEY, isHeight, 0));
  const [tracks, setTracks] = useState(0);
  const [wantedAudio, setWantedAudio] = useState(() => readStored(AUDIO_KEY, isText, ''));
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  /** Whether the buffered data has been played to its end. */
  const [isStuck, setIsStuck] = useState(false);
  const renewing = useRef(false);
  /** Whether no data has arrived through the most recently renewed links. */
  const isUnproven = useRef(false);

  const tell = useCallback((found: Trouble) => {
    setIsStuck(!attached.current?.hasMore());
    setTrouble(found);
  }, []);
  const again = useCallback(async () => {
    if (renewing.current) return;
    renewing.current = true;
    try {
      const fresh = await renew();
      isUnproven.current = true;
      setFile(fresh);
      setTrouble(null);
      attached.current?.renew(fresh);
    } catch (error) {
      tell(error instanceof ApiError ? troubleOf(error.status) : 'failed');
    } finally {
      renewing.current = false;
    }
  }, [renew, tell]);

  useEffect(() => {
    const video = element.current;
    if (!video) return;
    const onWaiting = () => setIsStuck(true);
    video.addEventListener('waiting', onWaiting);
    let film: Attachment | undefined;
    let isOver = false;
    const start = (means: Means) => {
      if (isOver) return;
      film = attach(video, begun.file, begun.at, heard, means);
      attached.current = film;
    };
    const begin = () => {
      setIsBegun(true);
      const means = meansOf(begun.file);
      if (means instanceof Promise) void means.then(start);
      else start(means);
    };
    const heard: Heard = {
      heights: (found) => {
        setHeights(found);
        attached.current?.select(fitting(found, readStored(QUALITY_KEY, isHeight, 0)));
      },
      height: setHeight,
      audio: (count) => {
        setTracks(count);
        const wanted = readStored(AUDIO_KEY, isText, '');
        if (count > 1) attached.current?.selectAudio(fittingAudio(begun.file.audio, wanted));
      },
      came: () => {
        isUnproven.current = false;
        setTrouble(null);
      },
      ended: (status) => {
        if (renewing.current) return;
        if (mayBeOutdated(status) && !isUnproven.current) void again();
        else tell(troubleOf(status));
      },
      broken: () => tell('decode'),
    };
    video.addEventListener('play', begin, { once: true });
    return () => {
      isOver = true;
      attached.current = null;
      video.removeEventListener('waiting', onWaiting);
      video.removeEventListener('play', begin);
      film?.end();
    };
  }, [element, begun, again, tell]);

  useEffect(() => {
    if (trouble !== 'lost') return;
    const look = () => void again();
    const timer = setInterval(look, AGAIN_MS);
    addEventListener('online', look);
    return () => {
      clearInterval(timer);
      removeEventListener('online', look);
    };
  }, [trouble, again]);

  const setQuality = useCallback((chosen: number) => {
    writeStored(QUALITY_KEY, chosen);
    setWanted(chosen);
    attached.current?.select(chosen);
  }, []);
  const setAudio = useCallback(
    (index: number) => {
      const option = begun.file.audio[index];
      if (!option) return;
      writeStored(AUDIO_KEY, keyOf(option));
      setWantedAudio(keyOf(option));
      attached.current?.selectAudio(index);
    },
    [begun],
  );
  return {
    isBegun,
    heights,
    quality: fitting(heights, wanted),
    height,
    setQuality,
    audio: tracks > 1 ? fittingAudio(begun.file.audio, wantedAudio) : -1,
    setAudio,
    trouble: isStuck ? trouble : null,
    again,
    file,
  };
}
