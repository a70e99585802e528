// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PATIENCE } from '@/lib/until';
import { Source } from './fake-source';
import Light from 'hls.js/light';
import { playSegments } from './segments';

const SITE = 'https://tube.example';
/** The same file, with links that were signed at two different times. */
const OLD = `${SITE}/media/s/1000/aa11/films/1/`;
const NEW = `${SITE}/media/s/2000/bb22/films/1/`;
const STORE = 'https://store.example/films/1/';

const LISTS: Record<string, string> = {
  'master.m3u8': ['#EXTM3U', '#EXT-X-STREAM-INF:BANDWIDTH=800000', 'list.m3u8'].join('\n'),
  'list.m3u8': [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:4',
    '#EXTINF:4,',
    'segment-0.ts',
    '#EXTINF:4,',
    'segment-1.ts',
    '#EXT-X-ENDLIST',
  ].join('\n'),
};

/** The requests in order. */
let asked: string[];
/** Delayed response statuses, by address. */
let held: Record<string, Promise<number> | undefined>;
const nameOf = (url: string) => url.replace(/.*\//, '');
const segmentsAsked = () => asked.filter((url) => !(nameOf(url) in LISTS));

/** The site has the playlists and redirects requests for segments to a store, which has no playlists. */
class Request {
  readyState = 0;
  status = 0;
  responseURL = '';
  responseText = '';
  responseType = '';
  onreadystatechange: (() => void) | null = null;
  private url = '';
  open(_method: string, url: string): void {
    this.url = url;
    this.readyState = 1;
  }
  send(): void {
    const name = nameOf(this.url);
    const list = LISTS[name];
    const isList = list !== undefined;
    asked.push(this.url);
    const status = held[this.url] ?? Promise.resolve(isList ? 200 : 404);
    void Promise.all([status, new Promise((resolve) => setTimeout(resolve))]).then(([found]) => {
      this.status = found;
      this.responseText = list ?? '';
      this.responseURL = isList ? this.url : STORE + name;
      this.readyState = 4;
      this.onreadystatechange?.();
    });
  }
  get response(): string {
    return this.responseText;
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

const play = () => {
  const giveUp = vi.fn();
  const ended = vi.fn<(status: number) => void>();
  const heard = {
    heights: vi.fn(),
    height: vi.fn(),
    audio: vi.fn(),
    came: vi.fn(),
    ended,
    broken: vi.fn(),
  };
  const video = document.createElement('video');
  const segments = playSegments(Light, video, `${OLD}master.m3u8`, 0, { heard, giveUp });
  return { segments, ended, giveUp };
};

beforeEach(() => {
  asked = [];
  held = {};
  vi.stubGlobal('XMLHttpRequest', Request);
  vi.stubGlobal('MediaSource', Source);
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:film');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('gives up on a segment missing from both the site and its store', async () => {
  const { segments, giveUp } = play();
  await vi.waitFor(() => expect(giveUp).toHaveBeenCalled(), PATIENCE);
  segments.end();
  expect(new Set(segmentsAsked())).toEqual(new Set([`${OLD}segment-0.ts`]));
  expect(segmentsAsked().length).toBeLessThan(5);
});

it('retries with fresh links if the old ones expire during a request', async () => {
  let refuse: (status: number) => void = () => undefined;
  held[`${OLD}list.m3u8`] = new Promise((resolve) => {
    refuse = resolve;
  });
  held[`${NEW}segment-0.ts`] = new Promise(() => undefined);
  const { segments, ended, giveUp } = play();
  await vi.waitFor(() => expect(asked).toContain(`${OLD}list.m3u8`), PATIENCE);
  segments.renew(`${NEW}master.m3u8`);
  refuse(403);
  await vi.waitFor(() => expect(asked).toContain(`${NEW}segment-0.ts`), PATIENCE);
  segments.end();
  expect(giveUp).not.toHaveBeenCalled();
  expect(ended).not.toHaveBeenCalled();
});
