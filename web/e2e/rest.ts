/** Measures the work that an idle page does. */
import type { BrowserContext, Page } from '@playwright/test';

/** Animations still running on the page. */
export const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => (effect as KeyframeEffect | null)?.target?.className),
  );

/** Counts the timers and frames on all pages opened from now on. */
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

/** Returns the running timers, and the frames requested between two idle moments. */
export const idleWork = (page: Page) =>
  page.evaluate(async () => {
    const { work } = globalThis as unknown as { work: { clocks: Set<unknown>; frames: number } };
    // A page that renders nothing may get no idle callback.
    const rest = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
    await rest();
    const before = work.frames;
    await rest();
    await rest();
    return [work.clocks.size, work.frames - before];
  });
