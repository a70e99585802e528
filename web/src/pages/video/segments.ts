/** Plays a video in segments, using hls.js. */
import Hls, { type ErrorData } from 'hls.js/light';
import worker from 'hls.js/dist/hls.worker.js?url';
import type { Attachment, Heard } from './attach';
import { heightsOf, shortSide } from './quality';
import { mayBeOutdated } from './trouble';

/** Lost connections are reported soon; reconnecting is up to `useStream`. */
const RETRY = { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 };
const FRAGMENTS = {
  default: {
    maxTimeToFirstByteMs: 10_000,
    maxLoadTimeMs: 120_000,
    timeoutRetry: RETRY,
    errorRetry: RETRY,
  },
};
/** Buffers at most this far ahead: most videos are left before their end. */
const AHEAD_S = 60;
/** The signature part of a link. */
const SIGNED = /\/media\/s\/\d+\/[0-9a-f]+\//;
const signatureOf = (url: string): string => SIGNED.exec(url)?.[0] ?? '';

export const canSegment = (): boolean => Hls.isSupported();

interface Segments extends Pick<Attachment, 'select' | 'end'> {
  /** Continues with a fresh link to the master playlist. */
  renew: (list: string) => void;
}

/** `from` is in seconds; `giveUp` is called if it can't be played in segments. */
export function playSegments(
  video: HTMLVideoElement,
  first: string,
  from: number,
  { heard, giveUp }: { heard: Heard; giveUp: () => void },
): Segments {
  let list = first;
  let isMended = false;
  /** The chosen level, -1 for none. */
  let chosen = -1;
  /** The signature of each request. Its response doesn't tell: a store that it redirects to has another address. */
  const signedWith = new WeakMap<object, string>();
  const hls = new Hls({
    // Segments are demuxed in a worker, so that the page stays responsive. This build doesn't include the worker's code.
    workerPath: worker,
    startPosition: from || -1,
    maxMaxBufferLength: AHEAD_S,
    fragLoadPolicy: FRAGMENTS,
    // URLs in a playlist carry its signature; by now there may be fresh links.
    xhrSetup: (xhr, url) => {
      const signature = signatureOf(list);
      signedWith.set(xhr, signature);
      xhr.open('GET', url.replace(SIGNED, signature));
    },
  });
  const goOn = () => {
    hls.startLoad();
    // hls.js abandons the chosen level when a request for it is refused, as happens to expired links.
    if (chosen !== -1 && hls.autoLevelEnabled) hls.currentLevel = chosen;
  };
  const onTrouble = ({ type, fatal, response, networkDetails }: ErrorData) => {
    if (type === Hls.ErrorTypes.NETWORK_ERROR) {
      const status = response?.code ?? 0;
      const asked = signedWith.get(networkDetails as XMLHttpRequest);
      // Requested before the links were renewed.
      if (asked !== undefined && asked !== signatureOf(list)) goOn();
      else if (fatal && status === 404) giveUp();
      else if (fatal || mayBeOutdated(status)) heard.ended(status);
    } else if (fatal && type === Hls.ErrorTypes.MEDIA_ERROR && !isMended && hls.levels.length > 0) {
      isMended = true;
      hls.recoverMediaError();
    } else if (fatal) {
      giveUp();
    }
  };
  hls.on(Hls.Events.MANIFEST_PARSED, () => {
    heard.heights(heightsOf(hls.levels));
  });
  hls.on(Hls.Events.LEVEL_SWITCHED, (_event, { level }) => {
    const found = hls.levels[level];
    if (found) heard.height(shortSide(found));
  });
  hls.on(Hls.Events.FRAG_LOADED, heard.came);
  hls.on(Hls.Events.ERROR, (_event, data) => {
    onTrouble(data);
  });
  hls.loadSource(list);
  hls.attachMedia(video);
  return {
    select: (height) => {
      chosen = hls.levels.findIndex((each) => shortSide(each) === height);
      // Switching flushes the buffer, which for a small video may be all of it. Automatic is not a level and keeps it.
      if (chosen === -1) hls.nextLevel = -1;
      else hls.currentLevel = chosen;
    },
    renew: (fresh) => {
      list = fresh;
      if (hls.levels.length > 0) goOn();
      else hls.loadSource(list);
    },
    end: () => {
      hls.destroy();
    },
  };
}
