/** What keeps a page at work that is there and left alone. */
import type { BrowserContext, Page } from '@playwright/test';

/** What still moves on the page. */
export const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => (effect as KeyframeEffect | null)?.target?.className),
  );

/** Counts clocks and frames of all pages that are opened from now on. */
export const countWork = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    const [start, stop, draw] = [setInterval, clearInterval, requestAnimationFrame];
    const work = { clocks: new Set<unknown>(), frames: 0 };
    Object.assign(globalThis, {
      work,
      setInterval: (...what: Parameters<typeof setInterval>) => {
        const clock = start(...what);
        work.clocks.add(clock);
        return clock;
      },
      clearInterval: (clock: Parameters<typeof clearInterval>[0]) => {
        work.clocks.delete(clock);
        stop(clock);
      },
      requestAnimationFrame: (run: FrameRequestCallback) => {
        work.frames += 1;
        return draw(run);
      },
    });
  });

/** Clocks that run, and frames that are asked for between two moments of rest. */
export const atWork = (page: Page) =>
  page.evaluate(async () => {
    const { work } = globalThis as unknown as { work: { clocks: Set<unknown>; frames: number } };
    // A page that draws nothing may not be told that it is idle.
    const rest = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
    await rest();
    const before = work.frames;
    await rest();
    await rest();
    return [work.clocks.size, work.frames - before];
  });
