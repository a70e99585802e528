/** Tests cards in rows: their lines align, and each block on the home page is a single row. */
import type { Page } from '@playwright/test';
import { cards, expect, listed, test } from './fixtures';

/** Returns the offsets of each card's lines from its top, without duplicates. */
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

/** Returns how many cards of the home page's first shelf are fully visible. */
const wholeCards = (page: Page) =>
  page
    .locator('main section')
    .first()
    .locator('ul')
    .first()
    .evaluate((list) => {
      const seen = list.getBoundingClientRect();
      return [...list.children].filter((card) => {
        const { left, right } = card.getBoundingClientRect();
        return left >= seen.left - 1 && right <= seen.right + 1;
      }).length;
    });

test('lines of cards align', async ({ page }) => {
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => rhythms(page), String(width)).toBe(1);
  }
});

test('a block of the home page is one row of 25, scrolled sideways', async ({ page }) => {
  await page.goto('/');
  await expect(cards(page).first()).toBeVisible();
  const block = page.locator('main section').first();
  const list = block.locator('ul').first();
  await expect(list.locator('> li')).toHaveCount(25);
  for (const [width, whole] of [
    [1920, 4],
    [1440, 3],
    [1024, 3],
    [768, 2],
    [390, 1],
    [320, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => wholeCards(page), String(width)).toBe(whole);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  const card = (index: number) => list.locator('> li').nth(index).locator('img');
  const next = block.getByRole('button', { name: 'Top by country: Next page' });
  const previous = block.getByRole('button', { name: 'Top by country: Previous page' });
  await expect(previous).toHaveAttribute('aria-disabled', 'true');
  await next.click();
  await expect(card(3)).toBeInViewport({ ratio: 0.9 });
  await expect(card(0)).not.toBeInViewport();
  await previous.click();
  await expect(card(0)).toBeInViewport({ ratio: 0.9 });
  // Tabbing through the shelf's links scrolls them into view.
  await list.locator('> li').nth(4).locator('h3 a').focus();
  await expect(card(4)).toBeInViewport({ ratio: 0.9 });
});

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('has a card’s menu next to its title', async ({ page }) => {
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
