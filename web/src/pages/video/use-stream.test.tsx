// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { until } from '@/lib/until';
import {
  begin,
  emit,
  fail,
  fileOf,
  folder,
  mount,
  probe,
  setUp,
  tearDown,
  unmount,
} from './stream-probe';

beforeEach(setUp);
afterEach(tearDown);

it('loads nothing before playback is requested, and then starts at the wanted time', async () => {
  mount(fileOf(1, 'mp4'), 90);
  expect([probe.stream.isBegun, probe.video.src]).toEqual([false, '']);
  await begin();
  expect([probe.stream.isBegun, probe.video.src]).toEqual([true, `${folder(1)}video.mp4`]);
  await emit('loadedmetadata');
  expect(probe.video.currentTime).toBe(90);
  expect([probe.stream.trouble, probe.renewed]).toEqual([null, 0]);
});

it('renews expired links and continues at the same position', async () => {
  mount();
  await begin();
  await emit('loadeddata');
  probe.video.currentTime = 42;
  await emit('timeupdate');
  probe.statuses = { [folder(1)]: 403, [folder(2)]: 200 };
  await fail();
  await until(() => expect(probe.video.src).toBe(`${folder(2)}video.mp4`));
  probe.video.currentTime = 0; // a new source begins at its start
  await emit('loadedmetadata');
  expect(probe.video.currentTime).toBe(42);
  expect(probe.stream.file.video_url[0]?.url).toBe(`${folder(2)}video.mp4`);
  expect([probe.checked, probe.renewed, probe.stream.trouble]).toEqual([
    [`${folder(1)}video.mp4`],
    1,
    null,
  ]);
});

it('renews links again only after data has arrived through the previous ones', async () => {
  mount();
  await begin();
  probe.statuses = { [folder(1)]: 403, [folder(2)]: 403, [folder(3)]: 403 };
  probe.renewals = [fileOf(2, 'mp4'), fileOf(3, 'mp4')];
  await fail();
  await until(() => expect(probe.video.src).toBe(`${folder(2)}video.mp4`));
  await fail();
  expect([probe.stream.trouble, probe.renewed]).toEqual(['refused', 1]);
  // The viewer asks again, and this time data arrives until the links expire.
  await act(() => probe.stream.again());
  expect([probe.stream.trouble, probe.video.src, probe.renewed]).toEqual([
    null,
    `${folder(3)}video.mp4`,
    2,
  ]);
  await emit('loadeddata');
  await fail();
  await until(() => expect(probe.renewed).toBe(3));
});

it('requests links once at a time', async () => {
  mount();
  await begin();
  await act(async () => {
    await Promise.all([probe.stream.again(), probe.stream.again(), probe.stream.again()]);
  });
  expect(probe.renewed).toBe(1);
});

it.each([
  [404, 'gone'],
  [410, 'gone'],
  [403, 'refused'],
  [500, 'failed'],
  [0, 'lost'],
])('tells why there are no links (%i)', async (status, trouble) => {
  mount();
  await begin();
  probe.video.pause();
  probe.renewals = [status];
  await act(() => probe.stream.again());
  expect(probe.stream.trouble).toBe(trouble);
  // Another try succeeds.
  probe.renewals = [fileOf(9, 'mp4')];
  await act(() => probe.stream.again());
  expect([probe.stream.trouble, probe.video.src]).toEqual([null, `${folder(9)}video.mp4`]);
});

it.each([
  [500, 'failed'],
  [undefined, 'lost'],
])('asks for no links if the film fails with %s', async (status, trouble) => {
  mount();
  await begin();
  probe.statuses = { [folder(1)]: status };
  probe.renewals = [0];
  await fail();
  expect([probe.stream.trouble, probe.renewed]).toEqual([trouble, 0]);
});

it('shows trouble only once the buffered data has been played', async () => {
  mount();
  await begin();
  Object.defineProperty(probe.video, 'readyState', { configurable: true, value: 4 });
  probe.statuses = { [folder(1)]: 500 };
  await fail();
  expect(probe.stream.trouble).toBeNull();
  await emit('waiting');
  expect(probe.stream.trouble).toBe('failed');
  await emit('loadeddata');
  expect(probe.stream.trouble).toBeNull();
});

it('reports a film that the browser cannot decode', async () => {
  mount();
  await begin();
  await fail(MediaError.MEDIA_ERR_DECODE);
  expect([probe.stream.trouble, probe.checked, probe.renewed]).toEqual(['decode', [], 0]);
});

it('tries a lost connection every five seconds and as soon as it is back', async () => {
  vi.useFakeTimers();
  probe.renewals = [0];
  mount();
  await begin();
  await act(() => probe.stream.again());
  expect([probe.stream.trouble, probe.renewed]).toEqual(['lost', 1]);
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await pass(4999);
  expect(probe.renewed).toBe(1);
  await pass(1);
  expect(probe.renewed).toBe(2);
  await pass(10_000);
  expect([probe.stream.trouble, probe.renewed]).toEqual(['lost', 4]);
  probe.renewals = [fileOf(5, 'mp4')];
  dispatchEvent(new Event('online'));
  await pass(0);
  expect([probe.stream.trouble, probe.renewed, probe.video.src]).toEqual([
    null,
    5,
    `${folder(5)}video.mp4`,
  ]);
  dispatchEvent(new Event('online'));
  await pass(60_000);
  expect(probe.renewed).toBe(5);
});

it('stops everything when it is removed', async () => {
  vi.useFakeTimers();
  mount();
  await begin();
  probe.renewals = [0];
  await act(() => probe.stream.again());
  expect([probe.stream.trouble, probe.renewed]).toEqual(['lost', 1]);
  const old = probe.video;
  unmount();
  expect(old.hasAttribute('src')).toBe(false);
  dispatchEvent(new Event('online'));
  Object.defineProperty(old, 'error', { configurable: true, value: { code: 2 } });
  old.dispatchEvent(new Event('error'));
  old.dispatchEvent(new Event('play'));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([probe.renewed, probe.checked, old.hasAttribute('src')]).toEqual([1, [], false]);
});

it('starts nothing if fresh links arrive after it was removed', async () => {
  mount();
  await begin();
  const old = probe.video;
  const renewing = probe.stream.again();
  unmount();
  await renewing;
  expect([probe.renewed, old.hasAttribute('src')]).toEqual([1, false]);
});

it('never loads a film that is removed before playback is requested', () => {
  mount();
  const old = probe.video;
  unmount();
  old.dispatchEvent(new Event('play'));
  expect(old.hasAttribute('src')).toBe(false);
});
