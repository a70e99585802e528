/** Tests login through an external site. The provider is small but real (openid-provider.mjs). `dev` starts it before the server. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { expectText } from './members';

const form = (page: Page) => page.getByRole('main');
/** The name of the provider's only account. Digits follow if the name was taken. */
const ACCOUNT = /^Account of Mika/;

test('a guest logs in with Google, returns to the page, and the wanted action is done', async ({
  page,
}) => {
  const away = page.waitForRequest((request) => new URL(request.url()).pathname === '/authorize');
  await page.goto('/videos/14/');
  const { pathname } = new URL(page.url());
  const favourite = page.getByRole('button', { name: 'Favourite', exact: true });
  await favourite.click();
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByRole('button', { name: 'Continue with Google' }).click();
  const asked = new URL((await away).url()).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  await expect(page).toHaveURL((url) => url.pathname === pathname);
  await expectText(page, 'Added to favourites');
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  const menu = page.getByRole('button', { name: ACCOUNT });
  await menu.click();
  await page.getByRole('link', { name: 'Settings' }).click();
  const settings = page.getByRole('region', { name: 'Account settings' });
  await expect(settings.getByText('Current email: mika@mail.example')).toBeVisible();

  // A second login finds the same member.
  const own = new URL(page.url()).pathname;
  await menu.click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  await page.goto('/signin/?next=%2Fcategories%2F');
  await form(page).getByRole('button', { name: 'Continue with Google' }).click();
  await expect(page).toHaveURL(/\/categories\/$/);
  await menu.click();
  await expect(page.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', own);
});

test('a callback without a pending login is refused with a message', async ({ page }) => {
  await page.goto('/api/login.g.callback?state=of-somebody-else&code=stolen');
  await expect(page).toHaveURL(/\/signin\/\?error=openid_failed$/);
  await expect(form(page).getByRole('status')).toHaveText(/^Logging in with Google failed/);
  await expect(page.getByRole('button', { name: /^Account of / })).toHaveCount(0);
});
