/** Tests that a change of a list shows its results, wherever the visitor was. */
import type { Page } from '@playwright/test';
import { expect, listed, test } from './fixtures';

const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY));

/** Scrolls to two windows before the end of the page, and returns the position. */
async function scrollDown(page: Page): Promise<number> {
  await page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight - 2 * innerHeight);
  });
  const y = await scrolled(page);
  expect(y).toBeGreaterThan(1000);
  return y;
}

/** Expects the top of the results in the upper half of the window. */
async function expectResults(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'Results' })).toHaveAttribute('aria-busy', 'false');
  const top = () =>
    page
      .getByRole('region', { name: 'Results' })
      .evaluate((list) => list.getBoundingClientRect().top / innerHeight);
  await expect.poll(top).toBeGreaterThanOrEqual(0);
  expect(await top()).toBeLessThan(0.5);
}

test.describe('on a desktop', () => {
  test('filters, chips, pages and queries show the results, and Back restores the place', async ({
    page,
  }) => {
    await page.goto('/videos/latest-updates/1/');
    await listed(page);
    const rail = page.getByRole('complementary', { name: 'Filters' });
    const filter = rail.getByRole('radio', { name: '10–30 minutes' });
    await expect(filter).toBeVisible();
    const status = page.getByRole('status');
    const all = await status.textContent();

    const place = await scrollDown(page);
    // The rail has scrolled along.
    await filter.evaluate((radio: HTMLElement) => {
      radio.click();
    });
    await expect(status).not.toHaveText(all ?? '');
    await listed(page);
    await expectResults(page);

    await page.goBack();
    await expect(status).toHaveText(all ?? '');
    await expect.poll(() => scrolled(page)).toBe(place);
    await page.goForward();
    await expect(status).not.toHaveText(all ?? '');

    // Three changes in a row after scrolling.
    for (const name of ['HD only', 'Past year', 'Any time']) {
      await scrollDown(page);
      await rail.getByRole('radio', { name }).evaluate((radio: HTMLElement) => {
        radio.click();
      });
      await listed(page);
      await expectResults(page);
    }

    // The focused chip disappears, so the results get the focus.
    await page.getByRole('button', { name: 'Remove HD only' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Remove HD only' })).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Results' })).toBeFocused();

    await scrollDown(page);
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Page 2', exact: true })
      .click();
    await listed(page);
    await expectResults(page);

    await page.goto('/search/?s=night');
    await listed(page);
    await scrollDown(page);
    await page.getByRole('searchbox').or(page.getByRole('combobox')).first().fill('kyoto');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/s=kyoto/);
    await listed(page);
    await expectResults(page);
  });

  test('the quick filters are above the fold, and a link skips all filters', async ({ page }) => {
    await page.goto('/videos/latest-updates/1/');
    await listed(page);
    const rail = page.getByRole('complementary', { name: 'Filters' });
    for (const name of ['HD only', 'Past month', 'Over 30 minutes']) {
      await expect(rail.getByRole('radio', { name })).toBeInViewport();
    }
    const skip = page.getByRole('link', { name: 'Skip to results' });
    await skip.focus();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Results' })).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.locator('main article').first().locator(':focus')).toHaveCount(1);
  });
});

test('a page beyond the end leads to the last one', async ({ page, expected }) => {
  expected.push(/404 .*\/videos\/latest-updates\/9999\//);
  await page.goto('/videos/latest-updates/9999/');
  await expect(page.getByText('There is no page 9,999')).toBeVisible();
  await page.getByRole('link', { name: 'Go to the last page' }).click();
  await listed(page);
  await expect(page).toHaveURL(/\/videos\/latest-updates\/\d{1,3}\/$/);
  await expect(
    page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]').last(),
  ).toBeVisible();
});

test('the country picker accepts typing at once, and shows the current country', async ({
  page,
}) => {
  await page.goto('/top-country/1/?country=US');
  await listed(page);
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Country/ })
    .click();
  const list = page.getByRole('searchbox', { name: 'Find a country' }).locator('~ ul');
  await expect(list.locator('[aria-current=true]')).toBeInViewport();
  await page.keyboard.type('japa');
  await expect(list.getByRole('button')).toHaveText(['Japan']);
});

test('action labels of a video fit in every language', async ({ page }) => {
  for (const lang of ['en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl']) {
    await page.goto(`/videos/42/?lang=${lang}`);
    const row = page.getByRole('main').locator('[aria-haspopup=dialog]').first().locator('..');
    await expect(row.getByRole('button').nth(4)).toBeVisible();
    await expect(row, lang).not.toHaveAttribute('data-folded');
  }
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('the sheet leads to the results', async ({ page }) => {
    await page.goto('/videos/latest-updates/1/');
    await listed(page);
    const place = await scrollDown(page);
    await page.getByRole('button', { name: 'Filters' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByRole('radio', { name: 'Past week' }).check();
    await sheet.getByRole('button', { name: /^Show \d/ }).tap();
    await expect(sheet).toHaveCount(0);
    await expectResults(page);
    await expect(page.getByRole('heading', { name: 'Results' })).toBeFocused();
    await page.goBack();
    // A phone's pixels are fractions of those of the page.
    await expect.poll(async () => Math.abs((await scrolled(page)) - place)).toBeLessThan(2);
  });
});
