// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PATIENCE } from '@/lib/until';
import { endUpload, rememberedToken, send, type Events } from './send';

// Tests run in Node, which would resolve to the client's Node build.
vi.mock('tus-js-client', () => vi.importActual('tus-js-client/lib.es5/browser/index.js'));

interface SentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
}
interface GivenAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** The received requests, and the server's responses. */
let requests: SentRequest[] = [];
let server: (request: SentRequest) => GivenAnswer | null;

class FakeRequest {
  upload = { onprogress: null };
  status = 0;
  responseText = '';
  onload: (() => void) | null = null;
  onerror: ((why: Error) => void) | null = null;
  private request: SentRequest = { method: '', path: '', headers: {} };
  private answer: GivenAnswer = { status: 0 };
  open(method: string, url: string) {
    this.request = { method, path: new URL(url).pathname, headers: {} };
  }
  setRequestHeader(name: string, value: string) {
    this.request.headers[name] = value;
  }
  getResponseHeader = (name: string) => this.answer.headers?.[name] ?? null;
  send() {
    requests.push(this.request);
    const answer = server(this.request);
    setTimeout(() => {
      if (!answer) {
        this.onerror?.(new Error('line'));
        return;
      }
      this.answer = answer;
      this.status = answer.status;
      this.responseText = answer.body ?? '';
      this.onload?.();
    });
  }
  abort() {
    this.onload = this.onerror = null;
  }
}

const BEGUN: GivenAnswer = { status: 201, headers: { Location: '/api/uploads/new' } };
const whole = (): GivenAnswer => ({ status: 204, headers: { 'Upload-Offset': '4' } });
const head = (offset: number): GivenAnswer => ({
  status: 200,
  headers: { 'Upload-Offset': String(offset), 'Upload-Length': '4' },
});
const film = () => new File(['film'], 'Abend.mp4', { lastModified: 1 });

const events = () => ({
  begun: vi.fn<Events['begun']>(),
  progress: vi.fn<Events['progress']>(),
  retrying: vi.fn<Events['retrying']>(),
  done: vi.fn<Events['done']>(),
  failed: vi.fn<Events['failed']>(),
});
const calls = () => requests.map(({ method, path }) => `${method} ${path}`);

beforeEach(() => {
  requests = [];
  localStorage.clear();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('creates an upload with the file name, and sends it', async () => {
  server = ({ method }) => (method === 'POST' ? BEGUN : whole());
  const on = events();
  send(film(), null, on);
  await vi.waitUntil(() => on.done.mock.calls.length > 0, PATIENCE);
  expect(calls()).toEqual(['POST /api/uploads/', 'PATCH /api/uploads/new']);
  expect(on.begun).toHaveBeenCalledWith('new');
  expect(requests[0]?.headers).toMatchObject({
    'Tus-Resumable': '1.0.0',
    'Upload-Length': '4',
    'Upload-Metadata': expect.stringContaining(`filename ${btoa('Abend.mp4')}`) as string,
  });
  expect(requests[1]?.headers['Upload-Offset']).toBe('0');
});

it('names the video whose film the file replaces', async () => {
  server = ({ method }) => (method === 'POST' ? BEGUN : whole());
  const on = events();
  send(film(), null, on, 7);
  await vi.waitUntil(() => on.done.mock.calls.length > 0, PATIENCE);
  expect(requests[0]?.headers['Upload-Metadata']).toContain(`replaces ${btoa('7')}`);
});

it('resumes an upload at its offset', async () => {
  server = ({ method }) => (method === 'HEAD' ? head(1) : whole());
  const on = events();
  send(film(), 'old', on);
  await vi.waitUntil(() => on.done.mock.calls.length > 0, PATIENCE);
  expect(calls()).toEqual(['HEAD /api/uploads/old', 'PATCH /api/uploads/old']);
  expect(requests[1]?.headers['Upload-Offset']).toBe('1');
});

it('never creates a second one if the server is temporarily unavailable', async () => {
  const answers = [{ status: 503 }, head(2), whole()];
  server = () => answers.shift() ?? null;
  const on = events();
  send(film(), 'old', on);
  await vi.waitUntil(() => on.done.mock.calls.length > 0, PATIENCE);
  expect(on.retrying).toHaveBeenCalledOnce();
  expect(calls()).toEqual([
    'HEAD /api/uploads/old',
    'HEAD /api/uploads/old',
    'PATCH /api/uploads/old',
  ]);
});

it('nor after it has created one itself', async () => {
  const answers = [BEGUN, null, { status: 502 }, head(4)];
  server = () => answers.shift() ?? null;
  const on = events();
  send(film(), null, on);
  await vi.waitFor(() => expect(on.done).toHaveBeenCalled(), PATIENCE);
  expect(calls()).toEqual([
    'POST /api/uploads/',
    'PATCH /api/uploads/new',
    'HEAD /api/uploads/new',
    'HEAD /api/uploads/new',
  ]);
});

it('tries for minutes while the site is unreachable, but not as long while it is full', async () => {
  vi.useFakeTimers();
  try {
    server = () => ({ status: 503 });
    const on = events();
    send(film(), 'old', on);
    await vi.advanceTimersByTimeAsync(20 * 60_000);
    expect(on.failed).not.toHaveBeenCalled();
    server = ({ method }) => (method === 'HEAD' ? head(2) : whole());
    await vi.advanceTimersByTimeAsync(6000);
    expect(on.done).toHaveBeenCalled();

    server = () => ({ status: 507, body: '{"code":"disk_full"}' });
    const full = events();
    send(film(), 'old', full);
    await vi.advanceTimersByTimeAsync(3 * 60_000);
    expect(full.retrying.mock.lastCall?.[0]).toMatchObject({ code: 'disk_full' });
    expect(full.failed.mock.lastCall?.[0]).toMatchObject({ code: 'disk_full', status: 507 });
  } finally {
    vi.useRealTimers();
  }
});

it.each([
  [{ status: 404 }, 'upload_not_found'],
  [{ status: 401, body: '{"code":"need_auth"}' }, 'need_auth'],
  [{ status: 418, body: 'tea' }, 'video_upload_error'],
])('gives up at once after %o: %s', async (answer, code) => {
  server = () => answer;
  const on = events();
  send(film(), 'old', on);
  await vi.waitUntil(() => on.failed.mock.calls.length > 0, PATIENCE);
  expect(on.failed.mock.calls[0]?.[0]).toMatchObject({ code, status: answer.status });
  expect(requests).toHaveLength(1);
});

it('deletes an upload whose creation finished after it was cancelled', async () => {
  server = ({ method }) => (method === 'POST' ? BEGUN : { status: 204 });
  const on = events();
  const sending = send(film(), null, on);
  sending.stop();
  await vi.waitUntil(() => requests.length === 2, PATIENCE);
  expect(calls()).toEqual(['POST /api/uploads/', 'DELETE /api/uploads/new']);
  expect(on.begun).not.toHaveBeenCalled();
});

it('sends nothing more when paused', async () => {
  server = () => head(1);
  const on = events();
  const sending = send(film(), 'old', on);
  sending.stop();
  await vi.waitUntil(() => requests.length > 0, PATIENCE);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(calls()).toEqual(['HEAD /api/uploads/old']);
});

it('remembers in this browser which upload belongs to the file', async () => {
  server = ({ method }) => (method === 'POST' ? BEGUN : null);
  const on = events();
  const sending = send(film(), null, on);
  await vi.waitUntil(() => on.retrying.mock.calls.length > 0, PATIENCE);
  // Otherwise, it would retry while the next test counts requests.
  sending.stop();
  expect(await rememberedToken(film(), ['other', 'new'])).toBe('new');
  const copy = new File(['film'], 'Abend.mp4', { lastModified: 2 });
  expect(await rememberedToken(copy, ['other', 'new'])).toBeUndefined();
  expect(await rememberedToken(film(), ['other'])).toBeUndefined();
  // Obsolete entries are removed.
  expect(await rememberedToken(film(), ['new'])).toBeUndefined();
});

it('deletes an upload, even one that is gone, and reports other errors', async () => {
  server = () => ({ status: 204 });
  await endUpload('old');
  server = () => ({ status: 404 });
  await endUpload('old');
  server = () => ({ status: 500, body: '{"code":"internal"}' });
  await expect(endUpload('old')).rejects.toMatchObject({ code: 'internal' });
  expect(calls()).toEqual(Array.from({ length: 3 }, () => 'DELETE /api/uploads/old'));
  expect(requests[0]?.headers['Tus-Resumable']).toBe('1.0.0');
});
