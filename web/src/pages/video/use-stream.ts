/** Plays a video in an element, and provides the qualities and errors. */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { VideoFile } from '@/api/types';
import { ApiError } from '@/lib/http';
import { readStored, writeStored } from '@/lib/storage';
import { attach, type Attachment, type Heard } from './attach';
import { fitting } from './quality';
import { mayBeOutdated, troubleOf, type Trouble } from './trouble';

const QUALITY_KEY = 'lantern.quality';
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
  /** Why playback has stopped. */
  trouble: Trouble | null;
  /** Tries again. */
  again: () => Promise<void>;
  /** The links that are in use. */
  file: VideoFile;
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
    const begin = () => {
      setIsBegun(true);
      film = attach(video, begun.file, begun.at, heard);
      attached.current = film;
    };
    const heard: Heard = {
      heights: (found) => {
        setHeights(found);
        attached.current?.select(fitting(found, readStored(QUALITY_KEY, isHeight, 0)));
      },
      height: setHeight,
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
  return {
    isBegun,
    heights,
    quality: fitting(heights, wanted),
    height,
    setQuality,
    trouble: isStuck ? trouble : null,
    again,
    file,
  };
}
