/** What a browser brings along or keeps back stops nobody: cookies nobody wrote, storage that is blocked. */
import { expect, listed, test } from './fixtures';

// Without the notice's mark, which could not be kept below.
test.use({ notice: true });

test('a page opens with cookies that hold anything', async ({ page, context, baseURL }) => {
  const url = baseURL ?? '';
  await context.addCookies(
    ['gender', 'app_lang'].map((name) => ({ name, value: '%E0%A4%A', url })),
  );
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  await expect(page.getByRole('radio', { name: 'Straight' })).toBeChecked();
});

test('a page opens, remembers nothing and leads on where storage is blocked', async ({ page }) => {
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
  // What is chosen holds for as long as the page is open.
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

test('the age gate takes one answer alone, as the server does', async ({
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
