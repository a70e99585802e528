/** Tests that an idle page does nothing, because endless animations would keep the visitor's CPU busy. */
import { cards, expect, test } from './fixtures';
import { moving } from './rest';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('nothing moves on the home page, above or below the fold', async ({ page }) => {
  // The window is low, so that the last blocks are far below it.
  await page.setViewportSize({ width: 390, height: 500 });
  await page.goto('/');
  await expect(cards(page).first()).toBeVisible();
  const waiting = page.locator('main .skeleton');
  // Blocks far from the viewport are placeholders of the same size.
  await expect(waiting.last()).toBeAttached();
  await expect.poll(() => moving(page)).toEqual([]);
  await page.locator('main section').last().scrollIntoViewIfNeeded();
  await expect(page.locator('main section').last().locator('article').first()).toBeVisible();
  await expect.poll(() => moving(page)).toEqual([]);
});

test('skeletons animate only while their content loads', async ({ page }) => {
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
