// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/lib/http';
import { PATIENCE } from '@/lib/until';
import { drop, fillQueue, pause, proceed, tokenOf } from './queue';
import { send, type Events } from './send';
import { addTransfer, findTransfer, transfers, type Transfer } from './transfers';

vi.mock('./send', () => ({ send: vi.fn() }));
vi.mock('./uploads-query', () => ({ refreshUploads: () => Promise.resolve() }));

const stops: string[] = [];
const under = new Map<string, Events>();

const add = (key: string, change: Partial<Transfer> = {}) =>
  addTransfer({ key, file: new File(['film'], key), state: 'queued', ...change });
const states = () => transfers().map(({ state }) => state);
const events = (key: string): Events => {
  const found = under.get(key);
  if (!found) throw new Error(`${key} was not started`);
  return found;
};
const begun = (key: string) => vi.waitUntil(() => under.has(key), PATIENCE);

beforeEach(async () => {
  for (const { key } of transfers()) drop(key);
  under.clear();
  stops.length = 0;
  vi.mocked(send).mockImplementation((file, _, on) => {
    under.set(file.name, on);
    return { stop: () => stops.push(file.name) };
  });
  // The keys are handled one after the other, because the mocked module supports only one import at a time.
  for (const key of ['a', 'b']) {
    add(key);
    fillQueue();
    await begun(key);
  }
  add('c');
  fillQueue();
});

it('sends two at a time and starts the next when one ends', async () => {
  expect(states()).toEqual(['sending', 'sending', 'queued']);
  events('a').done();
  expect(states()).toEqual(['sent', 'sending', 'sending']);
  await begun('c');
  expect(findTransfer('a')).toMatchObject({ sent: 4, rate: null });
});

it('pauses one for the next, and resumes it in its turn', async () => {
  events('a').begun('token');
  pause('a');
  expect(stops).toEqual(['a']);
  expect(states()).toEqual(['paused', 'sending', 'sending']);
  await begun('c');
  proceed('a');
  expect(states()).toEqual(['queued', 'sending', 'sending']);
  under.delete('a');
  events('b').done();
  await begun('a');
  expect(vi.mocked(send).mock.lastCall?.slice(1, 2)).toEqual(['token']);
});

it('reports why one failed, and continues with the others', () => {
  events('a').begun('token');
  events('a').failed(new ApiError(507, { code: 'disk_full' }));
  expect(findTransfer('a')).toMatchObject({ state: 'broken', failure: { code: 'disk_full' } });
  expect(findTransfer('a')?.token).toBe('token');
  expect(states()).toEqual(['broken', 'sending', 'sending']);
});

it('restarts an upload that the server has lost', () => {
  events('a').begun('token');
  events('a').failed(new ApiError(404, { code: 'upload_not_found' }));
  expect(findTransfer('a')).toMatchObject({ state: 'broken', token: null, sent: 0 });
});

it('resumes when the connection is back, but not after other failures', () => {
  events('a').failed(new ApiError(0, { code: 'offline' }));
  events('b').failed(new ApiError(507, { code: 'disk_full' }));
  drop('c');
  dispatchEvent(new Event('online'));
  expect(states()).toEqual(['sending', 'broken']);
  // This one is still being retried.
  events('a').retrying(new ApiError(0, { code: 'offline' }));
  dispatchEvent(new Event('online'));
  expect(findTransfer('a')).toMatchObject({ state: 'sending', isRetrying: true });
  events('a').progress(1);
  expect(findTransfer('a')).toMatchObject({ isRetrying: false, failure: null });
});

it('reports the token of an upload once it has one, or that there will be none', async () => {
  const [first, second] = [tokenOf('a'), tokenOf('b')];
  events('a').begun('token');
  drop('b');
  expect(await first).toBe('token');
  expect(await second).toBeNull();
  expect(await tokenOf('a')).toBe('token');
  expect(await tokenOf('never there')).toBeNull();
});

it('asks before leaving the page only while something is sent', () => {
  const leave = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(leave()).toBe(true);
  for (const key of ['a', 'b', 'c']) drop(key);
  expect(leave()).toBe(false);
});
