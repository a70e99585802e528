/** Reads what a file contains before it is sent. Loaded with the first file. */
import {
  ADTS,
  BlobSource,
  FLAC,
  Input,
  MATROSKA,
  MP3,
  MP4,
  MPEG_TS,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import { isCutOff } from './cut-off';
import { isPicture } from './pictures';
import { UNKNOWN, type Facts } from './file-checks';

/** How long, in ms, to wait for a file. Files on network drives are slow, and the server checks every file anyway. */
const PATIENCE_MS = 5000;

/** Formats of videos, and those of sound, which are recognized to be refused. */
const FORMATS = [MP4, QTFF, MATROSKA, WEBM, MPEG_TS, MP3, WAVE, FLAC, ADTS];

/** Resolves to nothing known if the browser can't read the file in time. */
export async function readFacts(file: Blob): Promise<Facts> {
  const input = new Input({ formats: FORMATS, source: new BlobSource(file) });
  let timer = 0;
  const late = new Promise<Facts>((resolve) => {
    timer = window.setTimeout(() => resolve(UNKNOWN), PATIENCE_MS);
  });
  try {
    return await Promise.race([examine(file, input), late]);
  } catch {
    // Damaged and unusual files are left to the server.
    return UNKNOWN;
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}

async function examine(file: Blob, input: Input): Promise<Facts> {
  if (await isPicture(file)) return { content: 'picture', seconds: null };
  if (await isCutOff(file)) return { content: 'cutOff', seconds: null };
  if (!(await input.canRead())) return UNKNOWN;
  const [video, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  if (!video) {
    // Old codecs are not found in transport streams.
    const isSound = sound && (await input.getFormat()) !== MPEG_TS;
    return isSound ? { content: 'sound', seconds: null } : UNKNOWN;
  }
  // A song with a still picture has a single frame.
  const tracks = sound ? [video, sound] : [video];
  const seconds = (await input.computeDuration(tracks)) - (await input.getFirstTimestamp(tracks));
  return { content: 'video', seconds: Number.isFinite(seconds) ? seconds : null };
}
