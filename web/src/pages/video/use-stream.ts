/** Puts a video's streams into a video element: HLS where it can be had, else a plain file. */
import Hls from 'hls.js/light';
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';
import type { Stream } from '@/api/types';
import { readStored, writeStored } from '@/lib/storage';

const QUALITY_KEY = 'lantern.quality';
const isHeight = (value: unknown): value is number => typeof value === 'number' && value >= 0;

interface Streaming {
  /** Heights to choose from, highest first; empty where there is no choice. */
  heights: number[];
  /** The chosen height, 0 for automatic. */
  quality: number;
  setQuality: (height: number) => void;
  /** No stream of the video could be played. */
  failed: boolean;
}

const plainFile = (streams: Stream[]): Stream | undefined =>
  streams.find(({ type, is_default }) => type === 'mp4' && is_default) ??
  streams.find(({ type }) => type === 'mp4');

/** A device that plays HLS by itself (and has no Media Source) gets the list as it is. */
const playsHls = (video: HTMLVideoElement): boolean =>
  video.canPlayType('application/vnd.apple.mpegurl') !== '';

export function useStream(
  element: RefObject<HTMLVideoElement | null>,
  streams: Stream[],
  startTime: number,
): Streaming {
  const hls = useRef<Hls>(null);
  const [heights, setHeights] = useState<number[]>([]);
  const [quality, showQuality] = useState(() => readStored(QUALITY_KEY, isHeight, 0));
  const [failed, setFailed] = useState(false);

  const select = useCallback((height: number) => {
    const player = hls.current;
    if (!player) return;
    player.nextLevel = height ? player.levels.findIndex((level) => level.height === height) : -1;
  }, []);

  useEffect(() => {
    const video = element.current;
    if (!video) return;
    const file = plainFile(streams);
    const list = streams.find(({ type }) => type === 'hls');
    let at = startTime;
    const seekOnce = () => {
      if (at > 0) video.currentTime = at;
    };
    const playFile = () => {
      if (!file) {
        setFailed(true);
        return;
      }
      setHeights([]);
      video.addEventListener('loadedmetadata', seekOnce, { once: true });
      video.src = file.url;
    };
    const noted = () => {
      // hls.js reports its own trouble; a plain file that fails has nothing left to try.
      if (!hls.current) setFailed(true);
    };
    video.addEventListener('error', noted);

    if (list && Hls.isSupported()) {
      // In the page itself: a worker would need a blob: script, which our policy forbids.
      const player = new Hls({ enableWorker: false, startPosition: startTime || -1 });
      hls.current = player;
      player.on(Hls.Events.MANIFEST_PARSED, () => {
        const found = [...new Set(player.levels.map(({ height }) => height))];
        setHeights(found.filter(Boolean).sort((a, b) => b - a));
        select(readStored(QUALITY_KEY, isHeight, 0));
      });
      player.on(Hls.Events.ERROR, (_event, { fatal }) => {
        if (!fatal) return;
        at = video.currentTime || startTime;
        player.destroy();
        hls.current = null;
        playFile();
      });
      player.loadSource(list.url);
      player.attachMedia(video);
    } else if (list && playsHls(video)) {
      video.addEventListener('loadedmetadata', seekOnce, { once: true });
      video.src = list.url;
    } else {
      playFile();
    }
    return () => {
      video.removeEventListener('error', noted);
      video.removeEventListener('loadedmetadata', seekOnce);
      hls.current?.destroy();
      hls.current = null;
      video.removeAttribute('src');
      video.load();
    };
  }, [element, streams, startTime, select]);

  const setQuality = useCallback(
    (height: number) => {
      writeStored(QUALITY_KEY, height);
      showQuality(height);
      select(height);
    },
    [select],
  );
  return { heights, quality: heights.includes(quality) ? quality : 0, setQuality, failed };
}
