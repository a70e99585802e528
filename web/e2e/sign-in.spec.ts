/** Tests login and other account forms: the dialog, refusals, and sessions elsewhere. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures';
import { DEMO, enter, freshName, PASSWORD, watching } from './members';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Log in' });
const form = (page: Page) => page.getByRole('main');

test.describe('two sessions', () => {
  test('a member ends the other session', async ({ page, browser }) => {
    const elsewhere = await browser.newContext({
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    // A browser without cookies need not send its origin.
    expect((await elsewhere.request.post('/api/login.php', { form: DEMO })).ok()).toBe(true);
    await enter(page);
    const who = async () => {
      const { user } = (await (await elsewhere.request.get('/api/me.php')).json()) as {
        user: { user_id: number } | null;
      };
      return user;
    };
    const id = String((await who())?.user_id);

    await page.goto(`/members/${id}/info/`);
    const other = page.getByRole('listitem').filter({ hasText: 'Firefox' }).first();
    await other.getByRole('button', { name: 'End session' }).click();
    await expect.poll(who).toBeNull();
    await elsewhere.close();
  });
});

test('a tablet can be rotated while the dialog is open', async ({ page }) => {
  await page.setViewportSize({ width: 1180, height: 820 });
  await page.goto('/categories/');
  await page.getByRole('button', { name: 'Log in' }).click();
  const name = dialog(page).getByLabel('Username or email');
  await name.fill('somebody');
  for (const [width, height] of [
    [820, 1180],
    [1180, 820],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(page.getByRole('button', { name: 'Menu', includeHidden: true })).toHaveCount(
      width < 1024 ? 1 : 0,
    );
    await expect(name).toHaveValue('somebody');
  }
});

test('a guest of a members-only page is sent home, logs in and returns there', async ({ page }) => {
  await page.goto('/edit/?video_id=1');
  await expect(dialog(page)).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Top by country' })).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);

  await page.goto('/upload-video/');
  await dialog(page).getByLabel('Username or email').fill(DEMO.usr);
  await dialog(page).getByLabel('Password', { exact: true }).fill(DEMO.pwd);
  await dialog(page).getByRole('button', { name: 'Log in', exact: true }).click();
  await expect(page).toHaveURL(/\/upload-video\/$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Upload videos');
});

test.describe('refused forms', () => {
  test.use({ expected: [/status of (401|409|422)/] });

  test('show translated errors beside the field and retain the input', async ({
    page,
    visitor,
  }) => {
    await visitor({ lang: 'de' });
    await page.goto('/signup/');
    const name = form(page).getByLabel('Benutzername');
    await name.fill('a b');
    await form(page).getByLabel('E-Mail-Adresse').fill('nobody');
    await form(page).getByRole('button', { name: 'Registrieren' }).click();
    await expect(name).toBeFocused();
    await expect(name).toHaveAttribute('aria-invalid', 'true');
    await expect(name).toHaveAccessibleDescription(/Buchstaben/);
    await expect(form(page).getByLabel('E-Mail-Adresse')).toHaveAccessibleDescription(/E-Mail/);
    await expect(name).toHaveValue('a b');
    await expectAccessible(page);
    await name.fill('demo');
    await form(page).getByLabel('E-Mail-Adresse').fill('demo-2@members.example');
    await form(page).getByLabel('Passwort').fill('a long secret');
    await form(page).getByRole('checkbox').check();
    const answer = page.waitForResponse('**/api/signup.php');
    await form(page).getByRole('button', { name: 'Registrieren' }).click();
    expect((await answer).status()).toBe(409);
    await expect(name).toHaveAccessibleDescription(/vergeben/);
  });

  test('a form is submitted once, however often its button is pressed', async ({ page }) => {
    let calls = 0;
    let finish: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await page.route('**/api/login.php', async (route) => {
      calls += 1;
      await held;
      await route.continue();
    });
    await page.goto('/signin/');
    await form(page).getByLabel('Username or email').fill(freshName('nobody'));
    await form(page).getByLabel('Password', { exact: true }).fill('not this one');
    const button = form(page).getByRole('button', { name: 'Log in' });
    await button.click();
    await expect(button).toBeDisabled();
    await form(page).getByLabel('Password', { exact: true }).press('Enter');
    finish?.();
    await expect(form(page).getByText('Invalid username or password')).toBeVisible();
    expect(calls).toBe(1);
  });

  test('a used link says so', async ({ page }) => {
    await page.goto('/confirm/?token=used');
    await expect(form(page).getByText('This link is no longer valid')).toBeVisible();
    await expect(form(page).getByRole('link', { name: 'Log in' })).toBeVisible();
    await page.goto('/restore-password/?token=used');
    await form(page).getByLabel('New password').fill('a new secret');
    await form(page).getByRole('button', { name: 'Set new password' }).click();
    await expect(form(page).getByRole('alert')).toHaveText(/link/);
  });
});

test('the dialog traps focus and restores it', async ({ page }) => {
  await page.goto('/categories/');
  const button = page.getByRole('button', { name: 'Log in' });
  await button.click();
  await expect(dialog(page)).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(button).toBeFocused();
  await button.click();
  await dialog(page).getByRole('link', { name: 'Sign up' }).click();
  await expect(page).toHaveURL(/\/signup\/\?next=%2Fcategories%2F$/);
  await expect(dialog(page)).toHaveCount(0);
});

test.describe('wrong passwords', () => {
  // These are caused by the guesses, and by the login without proof of work.
  test.use({ expected: [/status of (401|422)/] });

  test('three failures require a proof of work; the right password still works, and the pending action is done', async ({
    newMember,
  }) => {
    const { page, name } = await newMember();
    await page.context().clearCookies({ name: 'session' });
    let proofs = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/captcha.php') proofs += 1;
    });
    await watching(page);
    const favourite = page.getByRole('button', { name: 'Favourite', exact: true });
    await favourite.click();
    const dialog = page.getByRole('dialog', { name: 'Log in' });
    const signIn = async (password: string) => {
      await dialog.getByLabel('Username or email').fill(name);
      await dialog.getByLabel('Password', { exact: true }).fill(password);
      await dialog.getByRole('button', { name: 'Log in' }).click();
    };
    for (const wrong of ['first guess', 'second guess', 'third guess']) {
      const answer = page.waitForResponse('**/api/login.php');
      await signIn(wrong);
      expect((await answer).status(), wrong).toBe(401);
      await expect(dialog.getByText('Invalid username or password')).toBeVisible();
    }
    expect(proofs).toBe(0);
    await signIn(PASSWORD);
    await expect(dialog).toHaveCount(0);
    expect(proofs).toBe(1);
    await expect(page.getByText('Added to favourites')).toBeVisible();
    await expect(favourite).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('button', { name: `Account of ${name}` })).toBeVisible();
  });
});
