/** Plays a video in segments, using hls.js. */
import type { ErrorData } from 'hls.js/light';
import worker from 'hls.js/dist/hls.worker.js?url';
import type { Attachment, Heard } from './attach';
import type { Loader } from './audio';
import { heightsOf, shortSide } from './quality';
import { mayBeOutdated } from './trouble';

/** Lost connections are reported soon, because `useStream` handles reconnecting. */
const RETRY = { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 };
const FRAGMENTS = {
  default: {
    maxTimeToFirstByteMs: 10_000,
    maxLoadTimeMs: 120_000,
    timeoutRetry: RETRY,
    errorRetry: RETRY,
  },
};
/** How far ahead data is buffered at most. Most videos are left before their end. */
const AHEAD_S = 60;
/** The part of a link that contains the signature. */
const SIGNED = /\/media\/s\/\d+\/[0-9a-f]+\//;
const signatureOf = (url: string): string => SIGNED.exec(url)?.[0] ?? '';

interface Segments extends Pick<Attachment, 'select' | 'selectAudio' | 'end'> {
  /** Continues with a fresh link to the master playlist. */
  renew: (list: string) => void;
}

/** `from` is in seconds. `giveUp` is called if the video can't be played in segments. */
export function playSegments(
  Hls: Loader,
  video: HTMLVideoElement,
  first: string,
  from: number,
  { heard, giveUp }: { heard: Heard; giveUp: () => void },
): Segments {
  let list = first;
  let isMended = false;
  /** The chosen level, or -1 for none. */
  let chosen = -1;
  /** The signature that each request used. The response doesn't contain it, because a redirect to the store changes the address. */
  const signedWith = new WeakMap<object, string>();
  const hls = new Hls({
    // Segments are demuxed in a worker, so that the page stays responsive. This build doesn't include the worker's code.
    workerPath: worker,
    startPosition: from || -1,
    maxMaxBufferLength: AHEAD_S,
    fragLoadPolicy: FRAGMENTS,
    // URLs in a playlist carry its signature, but fresh links may have arrived by now.
    xhrSetup: (xhr, url) => {
      const signature = signatureOf(list);
      signedWith.set(xhr, signature);
      xhr.open('GET', url.replace(SIGNED, signature));
    },
  });
  const goOn = () => {
    hls.startLoad();
    // hls.js abandons the chosen level when a request for it is refused, which happens when links have expired.
    if (chosen !== -1 && hls.autoLevelEnabled) hls.currentLevel = chosen;
  };
  const onTrouble = ({ type, fatal, response, networkDetails }: ErrorData) => {
    if (type === Hls.ErrorTypes.NETWORK_ERROR) {
      const status = response?.code ?? 0;
      const asked = signedWith.get(networkDetails as XMLHttpRequest);
      // The data was requested before the links were renewed.
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
  hls.on(Hls.Events.MANIFEST_PARSED, () => heard.heights(heightsOf(hls.levels)));
  hls.on(Hls.Events.LEVEL_SWITCHED, (_event, { level }) => {
    const found = hls.levels[level];
    if (found) heard.height(shortSide(found));
  });
  hls.on(Hls.Events.AUDIO_TRACKS_UPDATED, () => heard.audio(hls.audioTracks.length));
  hls.on(Hls.Events.FRAG_LOADED, heard.came);
  hls.on(Hls.Events.ERROR, (_event, data) => onTrouble(data));
  hls.loadSource(list);
  hls.attachMedia(video);
  return {
    select: (height) => {
      chosen = hls.levels.findIndex((each) => shortSide(each) === height);
      // Switching flushes the buffer, which may hold all of a small video. Automatic is not a level, so choosing it keeps the buffer.
      if (chosen === -1) hls.nextLevel = -1;
      else hls.currentLevel = chosen;
    },
    selectAudio: (index) => {
      if (hls.audioTrack !== index) hls.audioTrack = index;
    },
    renew: (fresh) => {
      list = fresh;
      if (hls.levels.length > 0) goOn();
      else hls.loadSource(list);
    },
    end: () => hls.destroy(),
  };
}
