/** Puts a film into a video element, the best way this browser has: in segments, by a list it reads itself, or as a file. */
import type { Stream, VideoFile } from '@/api/types';
import { seek } from './seek';
import { canSegment, playSegments } from './segments';

/** What becomes of the film. */
export interface Heard {
  /** What there is to choose from, the tallest first; empty where there is no choice. */
  heights: (heights: number[]) => void;
  /** The height that is shown now. */
  height: (height: number) => void;
  /** Something of it has come. */
  came: () => void;
  /** Nothing more comes: the status of the answer, 0 for none. */
  ended: (status: number) => void;
  /** The browser can't make pictures of it. */
  broken: () => void;
}

export interface Attachment {
  /** One of `heights`, or 0 for automatic. */
  select: (height: number) => void;
  /** Goes on where it was, with fresh links. */
  renew: (file: VideoFile) => void;
  /** Whether it plays on for a moment by what has come. */
  hasMore: () => boolean;
  end: () => void;
}

/** A device that plays HLS by itself (and has no Media Source) gets the list as it is. */
const playsLists = (video: HTMLVideoElement): boolean =>
  video.canPlayType('application/vnd.apple.mpegurl') !== '';

async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url, { method: 'HEAD' })).status;
  } catch {
    return 0; // no answer
  }
}

/** `from` is in seconds. Who asks for a film wants to see it: it plays as soon as it can. */
export function attach(
  video: HTMLVideoElement,
  first: VideoFile,
  from: number,
  heard: Heard,
): Attachment {
  let file = first;
  let isOver = false;
  /** Which of the streams the element itself loads. */
  let source: Stream['type'] = 'mp4';
  /** Where to go on once the length is known, and whether to play then. */
  let next = { at: from, plays: true };
  let last = from;

  const play = () => {
    // Refused until the page has been touched: the play button remains.
    video.play().catch(() => undefined);
  };
  const urlOf = (type: Stream['type']) => file.video_url.find((each) => each.type === type)?.url;
  const load = (type: Stream['type']) => {
    source = type;
    heard.heights([]);
    const url = urlOf(type);
    if (!url) {
      heard.broken();
      return;
    }
    video.src = url;
    if (next.plays) play();
  };
  const keepPlace = () => {
    next = { at: video.currentTime || last, plays: next.plays || !video.paused };
  };
  const goOnWith = (type: Stream['type']) => {
    keepPlace();
    load(type);
  };

  const list = urlOf('hls');
  let segments: ReturnType<typeof playSegments> | null = null;
  if (list && canSegment()) {
    const giveUp = () => {
      // Segments that end take the place with them, and stop the film.
      keepPlace();
      segments?.end();
      segments = null;
      load('mp4');
    };
    segments = playSegments(video, list, from, { heard, giveUp });
  } else {
    load(list && playsLists(video) ? 'hls' : 'mp4');
  }

  const onLength = () => {
    const { at, plays } = next;
    next = { at: 0, plays: false };
    if (at > 0 && Math.abs(video.currentTime - at) > 1) seek(video, at);
    if (plays) play();
  };
  const onPause = () => {
    next.plays = false;
  };
  const onTime = () => {
    if (video.currentTime > 0) last = video.currentTime;
  };
  const findOut = async (code: number | undefined) => {
    // Segments report their own trouble.
    if (segments || code === undefined) return;
    if (code === MediaError.MEDIA_ERR_DECODE) {
      if (source === 'hls') goOnWith('mp4');
      else heard.broken();
      return;
    }
    // The element doesn't say what it was answered.
    const status = await statusOf(video.currentSrc);
    if (isOver) return;
    if (status === 404 && source === 'hls') goOnWith('mp4');
    else if (status === 0 || status >= 400) heard.ended(status);
    else if (code === MediaError.MEDIA_ERR_NETWORK) heard.ended(0);
    else if (source === 'hls') goOnWith('mp4');
    else heard.broken();
  };
  const events = {
    loadedmetadata: onLength,
    pause: onPause,
    timeupdate: onTime,
    loadeddata: heard.came,
    error: () => void findOut(video.error?.code),
  };
  for (const [name, listener] of Object.entries(events)) video.addEventListener(name, listener);

  return {
    select: (height) => segments?.select(height),
    renew: (fresh) => {
      file = fresh;
      const url = urlOf('hls');
      if (segments && url) segments.renew(url);
      else goOnWith(source);
    },
    hasMore: () => !video.paused && video.readyState >= HTMLMediaElement.HAVE_FUTURE_DATA,
    end: () => {
      isOver = true;
      for (const [name, listener] of Object.entries(events)) {
        video.removeEventListener(name, listener);
      }
      segments?.end();
      video.removeAttribute('src');
      video.load();
    },
  };
}
