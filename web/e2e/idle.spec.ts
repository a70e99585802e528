/** A page that is there and left alone does nothing: what moves forever keeps the machine of the visitor at work. */
import type { Page } from '@playwright/test';
import { cards, expect, test } from './fixtures';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** What still moves on the page. */
const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => (effect as KeyframeEffect | null)?.target?.className),
  );

test('nothing moves on the home page, above or below the fold', async ({ page }) => {
  // So low that the last blocks are far below it.
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto('/');
  await expect(cards(page).first()).toBeVisible();
  const waiting = page.locator('main .skeleton');
  // Blocks that nobody has come near stand in at their size.
  await expect(waiting.last()).toBeAttached();
  await expect.poll(() => moving(page)).toEqual([]);
  await page.locator('main section').last().scrollIntoViewIfNeeded();
  await expect(page.locator('main section').last().locator('article').first()).toBeVisible();
  await expect.poll(() => moving(page)).toEqual([]);
});

/** Screens that are looked at most, each with what is there once it is. */
const SCREENS = [
  '/videos/latest-updates/1/',
  '/search/1/?s=night',
  '/top-country/1/',
  '/categories/',
  '/models/most-popular/1/',
  '/albums/latest-updates/1/',
  '/playlists/most-popular/1/',
  '/community/recent/1/',
  '/videos/12/',
];

test('nor on any other of the main screens, and no clock runs', async ({ page }) => {
  await page.addInitScript(() => {
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
  const atWork = () =>
    page.evaluate(async () => {
      const { work } = globalThis as unknown as { work: { clocks: Set<unknown>; frames: number } };
      const rest = () => new Promise((resolve) => requestIdleCallback(resolve));
      await rest();
      const before = work.frames;
      await rest();
      await rest();
      return [work.clocks.size, work.frames - before];
    });
  for (const address of SCREENS) {
    await page.goto(address);
    await expect(page.locator('main li').first()).toBeVisible();
    await expect(page.locator('main [aria-busy="true"]'), address).toHaveCount(0);
    await expect.poll(() => moving(page), address).toEqual([]);
    // A player that waits for a hand has clocks of its own.
    if (!address.startsWith('/videos/12')) await expect.poll(atWork, address).toEqual([0, 0]);
  }
});

test('skeletons move while what they stand for is on its way', async ({ page }) => {
  let tell: (() => void) | undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.goto('/categories/');
  await expect(page.locator('main li a').first()).toBeVisible();
  await page.route('**/api/json/home/**', async (route) => {
    await told;
    await route.continue();
  });
  await page.getByRole('banner').getByRole('link', { name: 'Lantern' }).click();
  await expect(page.locator('main .skeleton').first()).toBeVisible();
  await expect.poll(() => moving(page)).toContainEqual(expect.stringContaining('skeleton'));
  tell?.();
  await expect(cards(page).first()).toBeVisible();
  await expect.poll(() => moving(page)).toEqual([]);
});
