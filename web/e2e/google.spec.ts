/** Signing in at another site. The provider is a small real one (openid-provider.mjs), which `dev` starts before the server. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { said } from './members';

const form = (page: Page) => page.getByRole('main');
/** The name of the provider's one person; digits follow where somebody else had it first. */
const ACCOUNT = /^Account of Mika/;

test('a guest signs in with Google, comes back to where they were, and what was wanted is done', async ({
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
  await said(page, 'Added to favourites');
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  const menu = page.getByRole('button', { name: ACCOUNT });
  await menu.click();
  await page.getByRole('link', { name: 'Settings' }).click();
  const settings = page.getByRole('region', { name: 'Account settings' });
  await expect(settings.getByText('Current email: mika@mail.example')).toBeVisible();

  // Who comes a second time is the same member.
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

test('who comes back without having set out is not signed in, and is told so', async ({ page }) => {
  await page.goto('/api/login.g.callback?state=of-somebody-else&code=stolen');
  await expect(page).toHaveURL(/\/signin\/\?error=openid_failed$/);
  await expect(form(page).getByRole('status')).toHaveText(/^Logging in with Google failed/);
  await expect(page.getByRole('button', { name: /^Account of / })).toHaveCount(0);
});
