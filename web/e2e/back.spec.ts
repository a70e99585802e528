/** Tests the back button on a phone: it closes only the topmost overlay and leaves no extra history entries. */
import type { Page } from '@playwright/test';
import { cards, expect, listed, test } from './fixtures';

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

/** Returns the page's index in the history, from 0. */
const place = (page: Page) =>
  page.evaluate(
    () =>
      (globalThis as unknown as { navigation: { currentEntry: { index: number } } }).navigation
        .currentEntry.index,
  );

test('closes sheets, menus and dialogs, and nothing else', async ({ page }) => {
  await page.goto('/videos/top-rated/1/');
  await listed(page);
  const address = page.url();
  const start = await place(page);
  const header = page.getByRole('banner');
  const card = page.locator('main article').first();
  const title = (await cards(page).first().textContent()) ?? '';
  const over = page.getByRole('dialog');
  for (const [what, open, shown] of [
    ['menu', header.getByRole('button', { name: 'Menu' }), over],
    ['filters', page.getByRole('button', { name: 'Filters' }), over],
    ['sort', page.getByRole('button', { name: /^Sort by/ }), page.getByText('Most commented')],
    ['language', header.getByRole('button', { name: /^Language/ }), page.getByText('Deutsch')],
    ['sign-in', header.getByRole('button', { name: 'Log in' }), over],
    ['card', card.getByRole('button', { name: /^Actions/ }), over],
  ] as const) {
    await open.tap();
    await expect(shown, what).toBeVisible();
    await page.goBack();
    await expect(shown, what).toHaveCount(0);
    expect(page.url(), what).toBe(address);
    expect(await cards(page).first().textContent(), what).toBe(title);
    expect(await place(page), what).toBe(start);
    // Closing the overlay with its own button leaves no history entry either.
    await open.tap();
    await expect(shown, what).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(shown, what).toHaveCount(0);
    await expect.poll(() => place(page), what).toBe(start);
  }
  await card.getByRole('button', { name: /^Actions/ }).tap();
  await over.getByRole('button', { name: 'Share' }).tap();
  await expect(over.getByRole('heading', { name: 'Share' })).toBeVisible();
  await page.goBack();
  await expect(over).toHaveCount(0);
  expect(page.url()).toBe(address);
});

test('keeps what was chosen in a sheet and undoes it on the next press', async ({ page }) => {
  await page.goto('/videos/top-rated/1/');
  await listed(page);
  const start = await place(page);
  await page.getByRole('button', { name: 'Filters' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await sheet.getByRole('radio', { name: 'Under 10 minutes' }).check();
  await expect(page).toHaveURL(/\?duration=short$/);
  await sheet.getByRole('radio', { name: 'HD only' }).check();
  await expect(page).toHaveURL(/\?type=hd&duration=short$/);
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\?type=hd&duration=short$/);
  await expect.poll(() => place(page)).toBe(start + 2);
  await page.goBack();
  await expect(page).toHaveURL(/\?duration=short$/);
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL(/\/videos\/top-rated\/1\/$/);
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
});

test('a menu adds no step between two pages, nor after a reload', async ({ page }) => {
  await page.goto('/videos/top-rated/1/');
  await listed(page);
  const start = await place(page);
  await page.getByRole('button', { name: 'Menu' }).tap();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await menu.getByRole('link', { name: 'Alphabetical' }).tap();
  await expect(page).toHaveURL(/\/models\/alphabet\/1\/$/);
  await listed(page);
  await expect.poll(() => place(page)).toBe(start + 1);
  await page.goBack();
  await expect(page).toHaveURL(/\/videos\/top-rated\/1\/$/);
  await listed(page);
  await page.getByRole('button', { name: 'Menu' }).tap();
  await expect(menu).toBeVisible();
  await menu.getByRole('button', { name: 'Deutsch' }).tap();
  await expect(menu).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect.poll(() => place(page)).toBe(start);
  await page.getByRole('button', { name: 'Menü' }).tap();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.reload();
  await listed(page);
  await expect.poll(() => place(page)).toBe(start);
});

test('dragging a slider is one step, not one per key', async ({ page }) => {
  await page.goto('/models/most-popular/1/');
  await listed(page);
  await page.getByRole('button', { name: 'Filters' }).tap();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  const thumb = sheet.getByRole('slider', { name: 'Age, from' });
  const ages = new Set<string | null>();
  for (let key = 0; key < 4; key += 1) {
    await thumb.press('ArrowRight');
    const last = await thumb.getAttribute('aria-valuenow');
    await expect(page).toHaveURL(new RegExp(`age=${last ?? ''}\\.`));
    ages.add(last);
  }
  expect(ages.size).toBe(4);
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/age=/);
  await page.goBack();
  await expect(page).toHaveURL(/\/models\/most-popular\/1\/$/);
});
