// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { firstPaint } from './first-paint';

const frame = () => vi.advanceTimersByTimeAsync(20);
/** Starts a wait, and returns a function that tells whether the wait is over. */
function watch(): () => boolean {
  let isOver = false;
  void firstPaint().then(() => (isOver = true));
  return () => isOver;
}

/** Sets up the server-rendered page with pictures at these offsets from the window's top. */
function page(...tops: number[]): (() => void)[] {
  document.body.innerHTML = `<div class="plain">${'<img>'.repeat(tops.length)}</div>`;
  return [...document.querySelectorAll('img')].map((picture, index) => {
    const top = tops[index] ?? 0;
    picture.getBoundingClientRect = () => ({ top, bottom: top + 100, height: 100 }) as DOMRect;
    let show: () => void = () => undefined;
    picture.decode = () => new Promise((done) => (show = done));
    return () => show();
  });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'requestAnimationFrame'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits for the pictures in view and no others', async () => {
  const [show] = page(10, innerHeight + 10);
  const isOver = watch();
  await frame();
  await frame();
  expect(isOver()).toBe(false);
  show?.();
  await frame();
  await frame();
  expect(isOver()).toBe(true);
});

it('stops waiting for a slow picture', async () => {
  page(10);
  const isOver = watch();
  await vi.advanceTimersByTimeAsync(400);
  expect(isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isOver()).toBe(true);
});

it('continues without pictures', async () => {
  page();
  const isOver = watch();
  await frame();
  await frame();
  expect(isOver()).toBe(true);
});

it('doesn’t wait where nothing is painted', async () => {
  page(10);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const isOver = watch();
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver()).toBe(true);
});
