/** Cards in rows: their lines at one height, and blocks of the home page without a gap at their end. */
import type { Page } from '@playwright/test';
import { cards, expect, listed, test } from './fixtures';

/** Heights of a card's lines below its top, each different set of them once. */
const rhythms = (page: Page) =>
  page.locator('main article').evaluateAll((articles) => {
    const all = articles.map((article) => {
      const { top } = article.getBoundingClientRect();
      return [...article.querySelectorAll('h3, p')].map((line) =>
        Math.round(line.getBoundingClientRect().top - top),
      );
    });
    return new Set(all.map((lines) => lines.join())).size;
  });

/** Cards missing in the last row of each block. */
const gaps = (page: Page) =>
  page.locator('main .whole-rows > *').evaluateAll((grids) =>
    grids.map((grid) => {
      const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length;
      const shown = [...grid.children].filter((card) => card.getClientRects().length > 0).length;
      return shown > 12 ? shown % columns : NaN;
    }),
  );

test('lines stand at one height, blocks fill their rows', async ({ page }) => {
  await page.goto('/');
  await expect(cards(page).first()).toBeVisible();
  for (const width of [1920, 1760, 1440, 1280, 1024, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
    await expect.poll(() => gaps(page), String(width)).toEqual([0, 0, 0, 0]);
  }
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => rhythms(page), String(width)).toBe(1);
  }
});

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('has the menu of a card beside its title', async ({ page }) => {
    await page.goto('/videos/latest-updates/1/');
    await listed(page);
    const card = page.locator('main article').first();
    const menu = await card.getByRole('button', { name: /^Actions/ }).boundingBox();
    const picture = await card.locator('img').boundingBox();
    const title = await card.getByRole('heading').boundingBox();
    if (!menu || !picture || !title) throw new Error('no card');
    expect(menu.x).toBeGreaterThanOrEqual(title.x + title.width);
    expect(menu.y + menu.height / 2).toBeGreaterThan(picture.y + picture.height);
    expect(menu.y).toBeLessThan(title.y + title.height);
  });
});
