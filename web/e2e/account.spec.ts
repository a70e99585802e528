/** Tests an account's life from sign-up to deletion, and the export of its data. */
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { cards, expect, expectAccessible, listed, test } from './fixtures';
import { linkIn } from './mails';
import { freshName, PASSWORD, send, watching } from './members';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Log in' });
const form = (page: Page) => page.getByRole('main');

async function signIn(place: ReturnType<typeof dialog>, name: string, password: string) {
  await place.getByLabel('Username or email').fill(name);
  await place.getByLabel('Password', { exact: true }).fill(password);
  await place.getByRole('button', { name: 'Log in' }).click();
}

async function openMenu(page: Page, name: string) {
  await page.getByRole('button', { name: `Account of ${name}` }).click();
}

test.describe('account', () => {
  // The test provokes these refusals, and browsers log each of them.
  test.use({ expected: [/status of (401|403)/] });

  test('from sign-up to deletion', async ({ page }) => {
    const name = freshName('e2e');
    const email = `${name}@members.example`;

    await page.goto('/signup/');
    await form(page).getByLabel('Username').fill(name);
    await form(page).getByLabel('Email').fill(email);
    await form(page).getByLabel('Password').fill('first secret');
    await form(page).getByLabel('I am at least 18').check();
    await form(page).getByRole('button', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await form(page).getByRole('button', { name: 'Send the email again' }).click();
    await expect(form(page).getByText('We’ve sent the email again.')).toBeVisible();

    await page.goto('/signin/');
    await signIn(form(page), name, 'first secret');
    await expect(form(page).getByText(/confirm your email/)).toBeVisible();

    // Mail scanners also open links, so opening one must not confirm anything.
    const confirm = await linkIn(email, /\/confirm\/\?token=[\w-]+/g);
    await page.request.get(confirm);
    await page.request.get(confirm.replace('/confirm/', '/api/confirm.php'));
    await page.goto(confirm);
    await expect(form(page).getByText('Press the button to confirm')).toBeVisible();
    await expectAccessible(page);
    await form(page).getByRole('button', { name: 'Confirm' }).click();
    await expect(page).toHaveURL(/\/signin\/\?confirmed=1$/);
    await expect(form(page).getByText('Your email is confirmed')).toBeVisible();
    await page.goto(confirm);
    await expect(form(page).getByText('You have already used this link')).toBeVisible();

    // An action begun as a guest is completed after login.
    await page.goto('/videos/most-popular/1/');
    await listed(page);
    await cards(page).first().click();
    const later = form(page).getByRole('button', { name: 'Watch later' });
    await later.click();
    await expect(dialog(page)).toBeVisible();
    await signIn(dialog(page), email, 'first secret');
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByText('Saved to watch later')).toBeVisible();
    await expect(later).toHaveAttribute('aria-pressed', 'true');

    await openMenu(page, name);
    await page.getByRole('link', { name: 'Settings' }).click();
    const settings = page.getByRole('region', { name: 'Account settings' });
    const change = settings.getByRole('region', { name: 'Change password' });
    await change.getByLabel('Current password').fill('first secret');
    await change.getByLabel('New password').fill('second secret');
    await change.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Your password has been changed')).toBeVisible();

    await openMenu(page, name);
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();

    await page.goto('/signin/');
    await form(page).getByRole('link', { name: 'Forgot your password?' }).click();
    await form(page).getByLabel('Email').fill(email);
    await form(page).getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    const restore = await linkIn(email, /\/restore-password\/\?token=[\w-]+/g);
    await page.goto(restore);
    await form(page).getByLabel('New password').fill('third secret');
    await form(page).getByRole('button', { name: 'Set new password' }).click();
    await expect(form(page).getByText('Your password has been changed')).toBeVisible();

    await signIn(form(page), name, 'third secret');
    await expect(page).toHaveURL(/\/$/);
    await openMenu(page, name);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete account' }).click();
    const sure = page.getByRole('dialog', { name: 'Delete account' });
    await sure.getByLabel('Current password').fill('third secret');
    await sure.getByRole('button', { name: 'Delete for good' }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();

    await page.goto('/signin/');
    await signIn(form(page), name, 'third secret');
    await expect(form(page).getByText('Invalid username or password')).toBeVisible();
  });
});

test('a member downloads all stored data: profile and activity', async ({ newMember }) => {
  const { page, id, name } = await newMember();
  await watching(page);
  await page.getByRole('button', { name: 'Favourite', exact: true }).click();
  await expect(page.getByText('Added to favourites')).toBeVisible();
  await page.getByLabel('Your comment').fill('Seen twice, and once more');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Comment published')).toBeVisible();

  await page.goto(`/members/${String(id)}/info/`);
  const link = page.getByRole('link', { name: 'Download my data' });
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(file.suggestedFilename()).toBe('account.json');
  const kept: unknown = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(kept).toMatchObject({
    account: { user_id: id, username: name, email: `${name}@members.example` },
    favourites: [{ video_id: 12 }],
    comments: [{ body: 'Seen twice, and once more', object_id: 12 }],
  });
  expect(JSON.stringify(kept)).not.toContain('argon2');
});

test.describe('deleting an account', () => {
  // These are caused by the wrong password and by the deleted page.
  test.use({ expected: [/status of (403|404|422)/] });

  test('can be cancelled, needs the right password, and removes the member’s page', async ({
    page,
    baseURL,
    newMember,
  }) => {
    const member = await newMember();
    const profile = `/members/${String(member.id)}/`;
    await member.page.goto(`${profile}info/`);
    const open = member.page.getByRole('button', { name: 'Delete account' });
    const dialog = member.page.getByRole('dialog', { name: 'Delete account' });
    const sure = dialog.getByRole('button', { name: 'Delete for good' });
    const password = dialog.getByLabel('Current password');

    await open.click();
    await expect(dialog).toContainText(member.name);
    await expectAccessible(member.page);
    await password.fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(open).toBeFocused();

    await open.click();
    // The previously typed password is gone.
    await expect(password).toHaveValue('');
    await sure.click();
    await expect(password).toHaveAccessibleDescription('Please fill in this field.');
    await password.fill('not this one');
    await sure.click();
    await expect(password).toHaveAccessibleDescription('This is not your current password.');
    await page.goto(profile);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(member.name);

    await password.fill(PASSWORD);
    await sure.click();
    await expect(member.page).toHaveURL(new URL('/', baseURL).href);
    await expect(member.page.getByRole('button', { name: 'Log in' })).toBeVisible();
    expect((await page.goto(profile))?.status()).toBe(404);
    await expect(page.getByText('404')).toBeVisible();
    const again = { usr: member.name, pwd: PASSWORD };
    const refused = await send(page, '/api/login.php', again);
    expect(refused.status()).toBe(401);
  });
});
