/** Tests account pages, information pages and the contact form. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures';

const form = (page: Page) => page.getByRole('main');

test('headings and titles match the server’s', async ({ page, request }) => {
  for (const [path, title, indexed] of [
    ['/signin/', 'Log in', false],
    ['/confirm/', 'Confirm your email', false],
    ['/restore-password/', 'Reset password', false],
    ['/information/privacy/', 'Privacy', true],
    ['/sitemap-page/', 'Site map', true],
  ] as const) {
    const html = await (await request.get(path)).text();
    expect(html).toContain(`<title>${title} · Lantern</title>`);
    expect(html.includes('content="noindex"'), path).toBe(!indexed);
  }
  expect((await request.get('/information/nothing/')).status()).toBe(404);
  await page.goto('/information');
  await expect(page).toHaveURL(/\/information\/support\/$/);
});

test.describe('cookies', () => {
  test.use({ notice: true });

  test('the cookie notice is shown once', async ({ page }) => {
    await page.goto('/categories/');
    const notice = page.getByRole('region', { name: 'Cookies' });
    await expect(notice).toBeVisible();
    await expectAccessible(page);
    await notice.getByRole('button', { name: 'Got it' }).click();
    await expect(notice).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });
});

test('a contact message with a picture attached', async ({ page }) => {
  await page.goto('/information/support/');
  await form(page).getByRole('button', { name: 'Contact us' }).click();
  const letter = page.getByRole('dialog', { name: 'Contact us' });
  await letter.getByLabel('Your email').fill('guest@visitors.example');
  await letter.getByLabel('Message').fill('A question about the site.');
  const picture = letter.getByLabel('Picture');
  await picture.setInputFiles({
    name: 'notes.png',
    mimeType: 'image/png',
    buffer: Buffer.from('no picture at all'),
  });
  await letter.getByRole('button', { name: 'Send' }).click();
  await expect(picture).toHaveAccessibleDescription(/picture/);
  await picture.setInputFiles({
    name: 'shot.png',
    mimeType: 'image/png',
    buffer: await page.screenshot(),
  });
  await letter.getByRole('button', { name: 'Send' }).click();
  await expect(letter.getByRole('status')).toHaveText(/Thank you/);
});
