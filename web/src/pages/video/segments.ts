/** A film in segments, by hls.js. */
import Hls, { type ErrorData } from 'hls.js/light';
import worker from 'hls.js/dist/hls.worker.js?url';
import type { Attachment, Heard } from './attach';
import { heightsOf, shortSide } from './quality';
import { mayBeOutdated } from './trouble';

/** Who lost the line soon hears of it; whether it is back is asked for anew and again (`useStream`). */
const RETRY = { maxNumRetry: 2, retryDelayMs: 500, maxRetryDelayMs: 2000 };
const FRAGMENTS = {
  default: {
    maxTimeToFirstByteMs: 10_000,
    maxLoadTimeMs: 120_000,
    timeoutRetry: RETRY,
    errorRetry: RETRY,
  },
};
/** No more than this is loaded ahead of what is watched: most films are left before their end. */
const AHEAD_S = 60;
/** What a signed link says besides the file. */
const SIGNED = /\/media\/s\/\d+\/[0-9a-f]+\//;
const signatureOf = (url: string): string => SIGNED.exec(url)?.[0] ?? '';

export const canSegment = (): boolean => Hls.isSupported();

interface Segments extends Pick<Attachment, 'select' | 'end'> {
  /** Goes on with a fresh link to the list of lists. */
  renew: (list: string) => void;
}

/** `from` is in seconds; `giveUp` is called where it can't be played in segments. */
export function playSegments(
  video: HTMLVideoElement,
  first: string,
  from: number,
  { heard, giveUp }: { heard: Heard; giveUp: () => void },
): Segments {
  let list = first;
  let isMended = false;
  /** The level that was chosen, -1 for none. */
  let chosen = -1;
  /** What each request was signed with. Its answer doesn't say it: who is sent on to a store is answered from another address. */
  const signedWith = new WeakMap<object, string>();
  const hls = new Hls({
    // What has come is taken apart there, and the page stays quick. This build doesn't bring the worker's code along.
    workerPath: worker,
    startPosition: from || -1,
    maxMaxBufferLength: AHEAD_S,
    fragLoadPolicy: FRAGMENTS,
    // What the lists name was signed with them; by now there may be fresh links.
    xhrSetup: (xhr, url) => {
      const signature = signatureOf(list);
      signedWith.set(xhr, signature);
      xhr.open('GET', url.replace(SIGNED, signature));
    },
  });
  const goOn = () => {
    hls.startLoad();
    // hls.js leaves the chosen level when anything of it is refused, and a link that has ended is.
    if (chosen !== -1 && hls.autoLevelEnabled) hls.currentLevel = chosen;
  };
  const onTrouble = ({ type, fatal, response, networkDetails }: ErrorData) => {
    if (type === Hls.ErrorTypes.NETWORK_ERROR) {
      const status = response?.code ?? 0;
      const asked = signedWith.get(networkDetails as XMLHttpRequest);
      // Asked for before the links were fresh.
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
      // What has come goes: of a small film all of it may have. Automatic is no level, and keeps it.
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
