// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { until } from '@/lib/until';
import { Source } from './fake-source';
import {
  begin,
  fileOf,
  folder,
  folderOf,
  mount,
  probe,
  setUp,
  tearDown,
  unmount,
} from './stream-probe';

/** Requests of the segment loader. */
let segments: string[];

const level = (segment: string) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:4', '#EXTINF:4,', segment, '#EXT-X-ENDLIST'].join('\n');
const PLAYLISTS: Record<string, string> = {
  'master.m3u8': [
    '#EXTM3U',
    '#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=854x480',
    'low.m3u8',
    '#EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1920x1080',
    'high.m3u8',
  ].join('\n'),
  'low.m3u8': level('low.ts'),
  'high.m3u8': level('high.ts'),
};

/** Serves playlists to the segment loader. Segments never arrive. */
class Playlists {
  readyState = 0;
  status = 0;
  responseURL = '';
  response = '';
  responseType = '';
  onreadystatechange: (() => void) | null = null;
  open(_method: string, url: string): void {
    this.responseURL = url;
    this.readyState = 1;
  }
  send(): void {
    const url = this.responseURL;
    segments.push(url);
    if (!url.endsWith('.m3u8')) return;
    setTimeout(() => {
      this.status = probe.statuses[folderOf(url)] ?? 0;
      if (this.status === 200) this.response = PLAYLISTS[url.replace(/.*\//, '')] ?? '';
      this.readyState = 4;
      this.onreadystatechange?.();
    });
  }
  get responseText(): string {
    return this.response;
  }
  abort(): void {
    this.onreadystatechange = null;
  }
  getAllResponseHeaders(): string {
    return '';
  }
  getResponseHeader(): null {
    return null;
  }
}

beforeEach(() => {
  setUp();
  localStorage.clear();
  segments = [];
  vi.stubGlobal('XMLHttpRequest', Playlists);
  vi.stubGlobal('MediaSource', Source);
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:film');
});
afterEach(tearDown);

it('switches between the qualities of a film in segments and keeps the choice', async () => {
  probe.statuses = { [folder(1)]: 200 };
  const file = fileOf(1, 'mp4', 'hls');
  mount(file);
  await begin();
  await until(() => expect(probe.stream.heights).toEqual([1080, 480]));
  expect(probe.stream.quality).toBe(0);
  const isAsked = (name: string) => segments.includes(folder(1) + name);
  // Without knowing the connection, the loader begins with the lowest level.
  await until(() => expect(isAsked('low.ts')).toBe(true));
  expect(isAsked('high.m3u8')).toBe(false);
  for (const [height, segment] of [
    [1080, 'high.ts'],
    [480, 'low.ts'],
  ] as const) {
    segments = [];
    act(() => probe.stream.setQuality(height));
    expect(probe.stream.quality).toBe(height);
    await until(() => expect(isAsked(segment)).toBe(true));
  }
  act(() => probe.stream.setQuality(1080));
  unmount();
  // The next film begins with the chosen quality.
  segments = [];
  mount(file);
  await begin();
  await until(() => expect(isAsked('high.ts')).toBe(true));
  expect([probe.stream.quality, isAsked('low.ts')]).toEqual([1080, false]);
  act(() => probe.stream.setQuality(0));
  expect(probe.stream.quality).toBe(0);
});

it('renews the links of a film in segments', async () => {
  probe.statuses = { [folder(1)]: 403, [folder(2)]: 200 };
  mount(fileOf(1, 'mp4', 'hls'));
  await begin();
  await until(() => expect(probe.stream.heights).toEqual([1080, 480]));
  expect(segments[0]).toBe(`${folder(1)}master.m3u8`);
  expect(segments).toContain(`${folder(2)}master.m3u8`);
  expect([probe.renewed, probe.stream.trouble]).toEqual([1, null]);
});
