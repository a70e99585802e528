/** Tests the player on touch screens and in full screen. */
import type { Page } from '@playwright/test';
import { cards, expect, listed, test } from './fixtures';
import config from '../playwright.config';
import { isPaused, length, loaded, play, position, stageOf } from './player';

// Shows scroll bars like most desktops. Without them, the tests could not detect a page that reserves room for one.
test.use({
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
});

async function openFirst(page: Page): Promise<void> {
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  await cards(page).first().click();
  await expect(page.locator('.lantern-big-play')).toBeVisible();
}

/** Returns the size of a button's touch target, and whether the button lies inside the player. */
async function touched(page: Page, name: string) {
  const button = page.locator('.lantern-player').getByRole('button', { name, exact: true }).last();
  const box = await button.boundingBox();
  const stage = await stageOf(page);
  if (!box) throw new Error(`no ${name}`);
  return {
    isLarge: box.width >= 44 && box.height >= 44,
    isInside: box.x >= stage.x && box.x + box.width <= stage.right && box.y >= stage.y,
  };
}
const FINE = { isLarge: true, isInside: true };

for (const width of [390, 360]) {
  test.describe(`a phone ${String(width)} pixels wide`, () => {
    test.use({ viewport: { width, height: 780 }, hasTouch: true, isMobile: true });

    test('plays, shows controls and seeks by taps, and loads no video data before playing', async ({
      page,
    }) => {
      const files = loaded(page);
      await openFirst(page);
      await expect(
        page.getByRole('region', { name: 'Related videos' }).locator('article').first(),
      ).toBeAttached();
      expect(files).toEqual([]);

      const stage = await stageOf(page);
      const middle = [stage.x + stage.width / 2, stage.y + stage.height / 2] as const;
      const button = await page.locator('.lantern-big-play').boundingBox();
      expect(button && button.x + button.width / 2).toBeCloseTo(middle[0], 0);
      expect(button && button.y + button.height / 2).toBeCloseTo(middle[1], 0);
      await page.touchscreen.tap(...middle);
      await expect.poll(() => position(page)).toBeGreaterThan(0);
      expect(await position(page)).toBeLessThan((await length(page)) / 2);

      // The first tap only shows the controls, and the second acts on what it hits.
      const pause = page.locator('.lantern-big-play');
      await expect(async () => {
        await page.touchscreen.tap(...middle);
        await expect.poll(() => isPaused(page), { timeout: 1000 }).toBe(true);
      }).toPass();
      await expect(pause).toHaveCSS('opacity', '1');
      for (const name of ['Play', 'Mute', 'Speed and quality', 'Full screen']) {
        expect(await touched(page, name), name).toEqual(FINE);
      }
      const seek = await page.locator('media-time-range').boundingBox();
      expect(seek?.height).toBeGreaterThanOrEqual(44);

      const before = await position(page);
      const end = await length(page);
      const side = [stage.right - 30, stage.y + stage.height / 3] as const;
      await expect(async () => {
        await page.touchscreen.tap(...side);
        await page.touchscreen.tap(...side);
        expect(await position(page)).toBeGreaterThan(Math.min(before + 9, end - 1));
      }).toPass();

      await page.getByRole('button', { name: 'Speed and quality' }).tap();
      const fastest = page.getByRole('radio', { name: '2×' });
      await fastest.scrollIntoViewIfNeeded();
      await fastest.tap();
      await expect(fastest).toBeChecked();
      expect(await touched(page, 'Close')).toEqual(FINE);
      await page.getByRole('button', { name: 'Close' }).tap();
      await expect(fastest).toHaveCount(0);
    });

    test('a tap on the picture plays', async ({ page }) => {
      await openFirst(page);
      const stage = await stageOf(page);
      await page.touchscreen.tap(stage.x + 30, stage.y + 30);
      await expect.poll(() => position(page)).toBeGreaterThan(0);
    });
  });
}

test('full screen covers every pixel, also beside a scroll bar', async ({ page }) => {
  await openFirst(page);
  await play(page);
  const room = () =>
    page.evaluate(() => innerWidth - document.documentElement.getBoundingClientRect().width);
  expect(await room()).toBeGreaterThan(0);
  await page.keyboard.press('f');
  await expect(page.getByRole('button', { name: 'Exit full screen' })).toBeAttached();
  await expect.poll(async () => (await stageOf(page)).width).toBe(page.viewportSize()?.width);
});

test('a video continues in the corner of other pages until closed', async ({ page }) => {
  await openFirst(page);
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await play(page);
  const corner = page.getByRole('complementary', { name: 'Mini player' });
  const film = await page.locator('.lantern-player video').elementHandle();
  await page.getByRole('link', { name: 'Categories', exact: true }).first().click();
  await expect(page).toHaveURL(/\/categories\/$/);
  await expect(corner).toBeVisible();
  expect(await isPaused(page)).toBe(false);
  const before = await position(page);
  await expect.poll(() => position(page)).toBeGreaterThan(before);

  await corner.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(corner).toBeHidden();
  expect(await film.evaluate((element) => element.isConnected)).toBe(true);
  expect(await position(page)).toBeGreaterThanOrEqual(before);
  await page.keyboard.press('1');
  await page.getByRole('link', { name: 'Categories', exact: true }).first().click();
  await corner.getByRole('button', { name: 'Close player' }).click();
  await expect(corner).toHaveCount(0);
  await expect(page.locator('.lantern-player')).toHaveCount(0);
});
