/** Test helper: plays a video through `useStream`, with a network that the test controls. */
import { act, useEffect, useRef } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { vi } from 'vitest';
import type { Path } from '@/api/call';
import type { VideoFile } from '@/api/types';
import { getJson } from '@/lib/http';
import { useStream, type Stream } from './use-stream';

/** A folder of links. Each renewal signs another one. */
export const folder = (signed: number): string =>
  `https://tube.example/media/s/${String(signed)}/aa${String(signed)}/films/1/`;
export const folderOf = (url: string): string => url.replace(/[^/]*$/, '');
export const fileOf = (signed: number, ...types: ('mp4' | 'hls')[]): VideoFile =>
  ({
    audio: [] as VideoFile['audio'],
    video_url: types.map((type) => ({
      type,
      codec: 'h264',
      url: folder(signed) + (type === 'hls' ? 'master.m3u8' : 'video.mp4'),
    })),
  }) as VideoFile;

interface Probe {
  video: HTMLVideoElement;
  /** What the hook returned last. */
  stream: Stream;
  /** The statuses of films and playlists by folder. A missing one means that there is no connection. */
  statuses: Record<string, number | undefined>;
  /** The responses to requests for fresh links, in order: links, or a status. The last one is repeated. */
  renewals: (VideoFile | number)[];
  /** The number of requests for fresh links. */
  renewed: number;
  /** The addresses whose status was requested. */
  checked: string[];
}

export let probe: Probe;
let root: Root | undefined;

const offline = () => Promise.reject(new TypeError('Failed to fetch'));
const respond = (status: number, body: unknown = {}) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));
function network(url: string, init?: RequestInit): Promise<Response> {
  if (init?.method === 'HEAD') {
    probe.checked.push(url);
    const status = probe.statuses[folderOf(url)];
    return status === undefined ? offline() : Promise.resolve(new Response(null, { status }));
  }
  const next = probe.renewals[Math.min(probe.renewed, probe.renewals.length - 1)];
  probe.renewed += 1;
  if (next === undefined || next === 0) return offline();
  return typeof next === 'number' ? respond(next) : respond(200, next);
}
const renew = () => getJson<VideoFile>('/api/videofile.php' satisfies Path);

function Player({ file, from }: { file: VideoFile; from: number }) {
  const element = useRef<HTMLVideoElement>(null);
  const stream = useStream(element, file, from, renew);
  useEffect(() => {
    probe.stream = stream;
    if (element.current) probe.video = element.current;
  });
  return (
    // Nothing is played here.
    // eslint-disable-next-line jsx-a11y/media-has-caption
    <video ref={element} />
  );
}

export function setUp(): void {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('MediaError', { MEDIA_ERR_NETWORK: 2, MEDIA_ERR_DECODE: 3 });
  vi.stubGlobal('HTMLMediaElement', { HAVE_FUTURE_DATA: 3 });
  vi.stubGlobal('fetch', network);
  probe = { statuses: {}, renewals: [fileOf(2, 'mp4', 'hls')], renewed: 0, checked: [] } as never;
}

export function tearDown(): void {
  unmount();
  vi.useRealTimers();
  vi.unstubAllGlobals();
}

export const mount = (file = fileOf(1, 'mp4'), from = 0): void =>
  act(() => {
    root = createRoot(document.body.appendChild(document.createElement('div')));
    root.render(<Player file={file} from={from} />);
  });
export const unmount = (): void => {
  act(() => {
    root?.unmount();
  });
  document.body.replaceChildren();
};

export const begin = (): Promise<void> => act(() => probe.video.play());
export const emit = (name: string): Promise<void> =>
  act(() => {
    probe.video.dispatchEvent(new Event(name));
    return Promise.resolve();
  });
/** The element can't load more, as after its link has expired. */
export const fail = async (code: number = MediaError.MEDIA_ERR_NETWORK): Promise<void> => {
  Object.defineProperty(probe.video, 'error', { configurable: true, value: { code } });
  await emit('error');
  await act(() => new Promise((resolve) => setTimeout(resolve)));
};
