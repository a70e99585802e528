/** Attaches a video to an element in the best way that this browser supports: segments with hls.js, native HLS, or a file. */
import type { Stream, VideoFile } from '@/api/types';
import { seek } from '@/shared/player/seek';
import type { Loader } from './audio';
import type { Codec } from './codec';
import { playSegments } from './segments';

/** Callbacks for playback events. */
export interface Heard {
  /** The available qualities, highest first. The list is empty if there is no choice. */
  heights: (heights: number[]) => void;
  /** The current quality. */
  height: (height: number) => void;
  /** The number of audio tracks to choose from. */
  audio: (count: number) => void;
  /** Data has arrived. */
  came: () => void;
  /** Loading has failed. `status` is the HTTP status, or 0 if there was no response. */
  ended: (status: number) => void;
  /** The browser can't decode the video. */
  broken: () => void;
}

export interface Attachment {
  /** Selects one of `heights`, or 0 for automatic. */
  select: (height: number) => void;
  /** Selects an audio track by its index. */
  selectAudio: (index: number) => void;
  /** Resumes at the same position with fresh links. */
  renew: (file: VideoFile) => void;
  /** Whether there is buffered data left to play. */
  hasMore: () => boolean;
  end: () => void;
}

/** Devices that have native HLS but no Media Source get the playlist itself. */
const playsLists = (video: HTMLVideoElement): boolean =>
  video.canPlayType('application/vnd.apple.mpegurl') !== '';

async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url, { method: 'HEAD' })).status;
  } catch {
    return 0; // no response
  }
}

/** What plays a video. */
export interface Means {
  /** The segment loader, or `null` if it couldn't be loaded. */
  Hls: Loader | null;
  /** The set of renditions. */
  codec: Codec;
}

/** `from` is in seconds. Attaching follows a request to play, so the video plays as soon as it can. */
export function attach(
  video: HTMLVideoElement,
  first: VideoFile,
  from: number,
  heard: Heard,
  { Hls, codec }: Means,
): Attachment {
  let file = first;
  let isOver = false;
  /** The type of the stream that the element itself loads. */
  let source: Stream['type'] = 'mp4';
  /** The position to resume at once the duration is known, and whether to play from there. */
  let next = { at: from, plays: true };
  let last = from;

  const play = () => {
    // Autoplay is blocked until the first interaction, so the play button remains.
    video.play().catch(() => undefined);
  };
  const urlOf = (type: Stream['type'], codec: Codec = 'h264') =>
    file.video_url.find((each) => each.type === type && each.codec === codec)?.url;
  const load = (type: Stream['type']) => {
    source = type;
    heard.heights([]);
    heard.audio(0);
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
  const resumeWith = (type: Stream['type']) => {
    keepPlace();
    load(type);
  };

  let played = codec;
  let segments: ReturnType<typeof playSegments> | null = null;
  const begin = (at: number) => {
    const list = urlOf('hls', played);
    if (!list || !Hls?.isSupported()) {
      load(urlOf('hls') && playsLists(video) ? 'hls' : 'mp4');
      return;
    }
    const giveUp = () => {
      // Destroying the segment loader resets the position and stops playback.
      keepPlace();
      segments?.end();
      segments = null;
      if (played === 'h264') {
        load('mp4');
      } else {
        played = 'h264';
        begin(next.at);
      }
    };
    segments = playSegments(Hls, video, list, at, { heard, giveUp });
  };
  begin(from);

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
  const diagnose = async (code: number | undefined) => {
    // The segment loader reports errors itself.
    if (segments || code === undefined) return;
    if (code === MediaError.MEDIA_ERR_DECODE) {
      if (source === 'hls') resumeWith('mp4');
      else heard.broken();
      return;
    }
    // The element doesn't reveal the HTTP status.
    const status = await statusOf(video.currentSrc);
    if (isOver) return;
    if (status === 404 && source === 'hls') resumeWith('mp4');
    else if (status === 0 || status >= 400) heard.ended(status);
    else if (code === MediaError.MEDIA_ERR_NETWORK) heard.ended(0);
    else if (source === 'hls') resumeWith('mp4');
    else heard.broken();
  };
  const events = {
    loadedmetadata: onLength,
    pause: onPause,
    timeupdate: onTime,
    loadeddata: heard.came,
    error: () => void diagnose(video.error?.code),
  };
  for (const [name, listener] of Object.entries(events)) video.addEventListener(name, listener);

  return {
    select: (height) => segments?.select(height),
    selectAudio: (index) => segments?.selectAudio(index),
    renew: (fresh) => {
      file = fresh;
      const url = urlOf('hls', played);
      if (segments && url) segments.renew(url);
      else resumeWith(source);
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
