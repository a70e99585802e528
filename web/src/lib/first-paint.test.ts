// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { firstPaint } from './first-paint';

const frame = () => vi.advanceTimersByTimeAsync(20);
/** Whether the wait is over. */
function watch(): () => boolean {
  let isOver = false;
  void firstPaint().then(() => (isOver = true));
  return () => isOver;
}

/** Pictures of the server's page, each as high in the window as is said. */
function page(...tops: number[]): (() => void)[] {
  document.body.innerHTML = `<div class="plain">${'<img>'.repeat(tops.length)}</div>`;
  return [...document.querySelectorAll('img')].map((picture, index) => {
    const top = tops[index] ?? 0;
    picture.getBoundingClientRect = () => ({ top, bottom: top + 100, height: 100 }) as DOMRect;
    let show: () => void = () => undefined;
    picture.decode = () => new Promise((done) => (show = done));
    return () => {
      show();
    };
  });
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'requestAnimationFrame'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('waits for the pictures in sight, and for no other', async () => {
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

it('loses its patience with a slow picture', async () => {
  page(10);
  const isOver = watch();
  await vi.advanceTimersByTimeAsync(400);
  expect(isOver()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(isOver()).toBe(true);
});

it('goes on without a picture', async () => {
  page();
  const isOver = watch();
  await frame();
  await frame();
  expect(isOver()).toBe(true);
});

it('does not wait where nothing is painted', async () => {
  page(10);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const isOver = watch();
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver()).toBe(true);
});
