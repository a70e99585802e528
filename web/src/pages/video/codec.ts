/** Which set of renditions is played: H.264, or a second one that needs fewer bytes. */
import type { Stream, VideoFile } from '@/api/types';

export type Codec = Stream['codec'];

/** Typical renditions. Devices that decode these decode all sizes of a video, because decoders are made for a size. */
const TYPES: Record<Codec, string> = {
  h264: 'avc1.640028',
  av1: 'av01.0.08M.08',
  hevc: 'hvc1.1.6.L120.90',
};
/** A bit rate in bit/s that is not exceeded by the tallest rendition of most videos. */
const BITRATE = 5_000_000;
const FRAMERATE = 30;

const decoding = (codec: Codec, height: number) =>
  navigator.mediaCapabilities.decodingInfo({
    type: 'media-source',
    video: {
      contentType: `video/mp4; codecs="${TYPES[codec]}"`,
      width: Math.round((height * 16) / 9),
      height,
      bitrate: BITRATE,
      framerate: FRAMERATE,
    },
  });

/** Returns the codec of the second set if this device plays it smoothly, and without draining its battery as long as H.264 doesn't. */
async function look(codec: Codec, height: number): Promise<Codec> {
  try {
    const [found, usual] = await Promise.all([decoding(codec, height), decoding('h264', height)]);
    const isCheap = found.powerEfficient || !usual.powerEfficient;
    return found.supported && found.smooth && isCheap ? codec : 'h264';
  } catch {
    // Old browsers don't know what they decode well.
    return 'h264';
  }
}

/** Returns the codec to play. Most videos have one. */
export function codecOf({ video_url }: VideoFile): Codec | Promise<Codec> {
  const second = video_url.find(({ type, codec }) => type === 'hls' && codec !== 'h264');
  return second ? look(second.codec, second.height) : 'h264';
}
