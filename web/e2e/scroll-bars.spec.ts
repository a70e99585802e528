/** Tests windows with scroll bars that take up space, as on a desktop with a mouse. */
import config from '../playwright.config';
import { expect, listed, test } from './fixtures';

test.use({
  viewport: { width: 1280, height: 720 },
  launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] },
});

test('a dialog doesn’t shift the page, and the filter rail has no scroll bar', async ({ page }) => {
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  const rail = page.getByRole('complementary', { name: 'Filters' });
  const bars = () =>
    rail.evaluate((aside) => {
      const all = [...aside.querySelectorAll('*')];
      return all
        .filter((part) => part.scrollHeight > part.clientHeight + 1)
        .filter((part) => ['auto', 'scroll'].includes(getComputedStyle(part).overflowY)).length;
    });
  await expect(rail.getByRole('checkbox').first()).toBeVisible();
  expect(await bars()).toBe(0);
  const categories = rail.getByRole('group', { name: 'Categories' }).last();
  const few = await categories.getByRole('checkbox').count();
  await categories.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => categories.getByRole('checkbox').count()).toBeGreaterThan(few);
  expect(await bars()).toBe(0);

  const places = () =>
    page.evaluate(() =>
      ['header', 'h1', 'main article'].map((part) => {
        const { left, width } = document.querySelector(part)?.getBoundingClientRect() ?? {};
        return [left, width];
      }),
    );
  const before = await places();
  // Make sure that scroll bars take up space here. Otherwise, the checks below would prove nothing.
  expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBe(15);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('dialog', { name: 'Log in' })).toBeVisible();
  expect(await places()).toEqual(before);
});
