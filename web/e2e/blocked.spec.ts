/** Tests that unknown cookies and blocked storage don't break the site. */
import { expect, listed, test } from './fixtures';

// Without the cookie that dismisses the notice, because the tests below could not store it.
test.use({ notice: true });

test('a page opens whatever its cookies hold', async ({ page, context, baseURL }) => {
  const url = baseURL ?? '';
  await context.addCookies(
    ['gender', 'app_lang'].map((name) => ({ name, value: '%E0%A4%A', url })),
  );
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  await expect(page.getByRole('radio', { name: 'Straight' })).toBeChecked();
});

test('with storage blocked, pages open and navigate but remember nothing', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    }
  });
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  // A choice lasts while the page is open.
  const html = page.locator('html');
  const theme = page.getByRole('button', { name: /^(Dark|Light) theme$/ });
  const other = (await theme.getAttribute('aria-label')) === 'Dark theme' ? 'dark' : 'light';
  await theme.click();
  await expect(html).toHaveAttribute('data-theme', other);
  await page.getByRole('banner').getByRole('link', { name: 'Categories' }).click();
  await expect(page.locator('main li a').first()).toBeVisible();
  await page.goBack();
  await listed(page);
});

test('the age gate accepts the same single answer as the server', async ({
  page,
  visitor,
  context,
  baseURL,
}) => {
  await visitor({ adult: false });
  await context.addCookies([{ name: 'age_agreed', value: 'yes', url: baseURL ?? '' }]);
  await page.goto('/videos/most-popular/1/');
  const gate = page.getByRole('dialog', { name: 'This site is for adults only' });
  await expect(gate).toBeVisible();
  await expect(page.locator('main')).toHaveCount(0);
  await gate.getByRole('button', { name: /^I am 18 or older/ }).click();
  await listed(page);
  await page.reload();
  await listed(page);
  await expect(gate).toHaveCount(0);
});
