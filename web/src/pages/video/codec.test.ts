import { afterEach, expect, it, vi } from 'vitest';
import type { VideoFile } from '@/api/types';
import { codecOf } from './codec';

const file = (...codecs: string[]) =>
  ({ video_url: codecs.map((codec) => ({ type: 'hls', codec, height: 720 })) }) as VideoFile;

/** A device that decodes the second codec in this way, and H.264 efficiently or not. */
function device(second: Partial<MediaCapabilitiesDecodingInfo>, isUsualEfficient = true) {
  const fine = { supported: true, smooth: true, powerEfficient: true };
  const decodingInfo = ({ video }: MediaDecodingConfiguration) =>
    Promise.resolve(
      video?.contentType.includes('avc1')
        ? { ...fine, powerEfficient: isUsualEfficient }
        : { ...fine, ...second },
    );
  vi.stubGlobal('navigator', { mediaCapabilities: { decodingInfo } });
}

afterEach(() => {
  vi.unstubAllGlobals();
});

it('plays the second set where it is decoded as well as H.264', async () => {
  expect(codecOf(file('h264'))).toBe('h264');
  for (const [second, isUsualEfficient, codec] of [
    [{}, true, 'av1'],
    [{ powerEfficient: false }, true, 'h264'],
    [{ powerEfficient: false }, false, 'av1'],
    [{ smooth: false }, true, 'h264'],
    [{ supported: false }, true, 'h264'],
  ] as const) {
    device(second, isUsualEfficient);
    expect(await codecOf(file('h264', 'av1')), JSON.stringify(second)).toBe(codec);
  }
  vi.stubGlobal('navigator', {});
  expect(await codecOf(file('h264', 'hevc'))).toBe('h264');
});
