/** Signing up and in, and all that belongs to an account. */
import type { Page } from '@playwright/test';
import { cards, expect, expectAccessible, listed, test } from './fixtures';
import { linkIn } from './mails';

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in' });
const form = (page: Page) => page.getByRole('main');
/** Names are taken for good, so each run has its own. */
const freshName = (role: string) => `${role}-${Date.now().toString(36)}`;

async function signIn(place: ReturnType<typeof dialog>, name: string, password: string) {
  await place.getByLabel('Username or email').fill(name);
  await place.getByLabel('Password', { exact: true }).fill(password);
  await place.getByRole('button', { name: 'Sign in' }).click();
}

async function openMenu(page: Page, name: string) {
  await page.getByRole('button', { name: `Account of ${name}` }).click();
}

test.describe('an account', () => {
  // What the server refuses on purpose; browsers note each refusal.
  test.use({ expected: [/status of (401|403)/] });

  test('from its making to its end', async ({ page }) => {
    const name = freshName('e2e');
    const email = `${name}@members.example`;

    await page.goto('/signup/');
    await form(page).getByLabel('Username').fill(name);
    await form(page).getByLabel('Email').fill(email);
    await form(page).getByLabel('Password').fill('first secret');
    await form(page).getByLabel('I am at least 18').check();
    await form(page).getByRole('button', { name: 'Sign up' }).click();
    await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();

    await page.goto('/signin/');
    await signIn(form(page), name, 'first secret');
    await expect(form(page).getByText(/confirm your email/)).toBeVisible();

    // Programs that read mails open links, too: nothing is confirmed by that.
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
    await expect(form(page).getByText('You used this link before')).toBeVisible();

    // What a guest began is finished once they are signed in.
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
    await expect(page.getByText('Your password is changed')).toBeVisible();

    await openMenu(page, name);
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();

    await page.goto('/signin/');
    await form(page).getByRole('link', { name: 'Forgot your password?' }).click();
    await form(page).getByLabel('Email').fill(email);
    await form(page).getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
    const restore = await linkIn(email, /\/restore-password\/\?token=[\w-]+/g);
    await page.goto(restore);
    await form(page).getByLabel('New password').fill('third secret');
    await form(page).getByRole('button', { name: 'Set new password' }).click();
    await expect(form(page).getByText('Your password is changed')).toBeVisible();

    await signIn(form(page), name, 'third secret');
    await expect(page).toHaveURL(/\/$/);
    await openMenu(page, name);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Delete account' }).click();
    const sure = page.getByRole('dialog', { name: 'Delete account' });
    await sure.getByLabel('Current password').fill('third secret');
    await sure.getByRole('button', { name: 'Delete for good' }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();

    await page.goto('/signin/');
    await signIn(form(page), name, 'third secret');
    await expect(form(page).getByText('Invalid username or password')).toBeVisible();
  });
});

test.describe('signed in twice', () => {
  test('a member ends the other session', async ({ page, browser, baseURL }) => {
    const elsewhere = await browser.newContext({
      baseURL,
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
    });
    const login = { usr: 'demo', pwd: 'demo-lantern' };
    expect((await elsewhere.request.post('/api/login.php', { form: login })).ok()).toBe(true);
    // This visitor has a cookie already, so the request must say where it comes from.
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect((await page.request.post('/api/login.php', { form: login, headers })).ok()).toBe(true);
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

test.describe('refused forms', () => {
  test.use({ expected: [/status of (401|409|422)/] });

  test('say what is wrong in the language, beside the field, and keep what was typed', async ({
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

  test('a form is sent once, however often its button is pressed', async ({ page }) => {
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
    const button = form(page).getByRole('button', { name: 'Sign in' });
    await button.click();
    await expect(button).toBeDisabled();
    await form(page).getByLabel('Password', { exact: true }).press('Enter');
    finish?.();
    await expect(form(page).getByText('Invalid username or password')).toBeVisible();
    expect(calls).toBe(1);
  });

  test('a link that was used up says so', async ({ page }) => {
    await page.goto('/confirm/?token=used');
    await expect(form(page).getByText('This link is not valid any more')).toBeVisible();
    await expect(form(page).getByRole('link', { name: 'Sign in' })).toBeVisible();
    await page.goto('/restore-password/?token=used');
    await form(page).getByLabel('New password').fill('a new secret');
    await form(page).getByRole('button', { name: 'Set new password' }).click();
    await expect(form(page).getByRole('alert')).toHaveText(/link/);
  });
});

test('the dialog keeps the focus and gives it back', async ({ page }) => {
  await page.goto('/categories/');
  const button = page.getByRole('button', { name: 'Sign in' });
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

for (const scheme of ['dark', 'light'] as const) {
  test.describe(`axe, ${scheme}`, () => {
    test.use({ colorScheme: scheme });

    test('pages of accounts and about the site', async ({ page }) => {
      for (const path of [
        '/signin/?confirmed=1',
        '/signup/',
        '/restore-password/',
        '/restore-password/?token=x',
        '/information/terms/',
        '/sitemap-page/',
      ]) {
        await page.goto(path);
        await expect(page.locator('.plain')).toHaveCount(0);
        await expect(form(page).getByRole('heading', { level: 1 })).toBeVisible();
        await expectAccessible(page);
      }
    });
  });
}

test('what the server says of these pages', async ({ page, request }) => {
  for (const [path, title, indexed] of [
    ['/signin/', 'Sign in', false],
    ['/confirm/', 'Confirm your email', false],
    ['/restore-password/', 'Restore password', false],
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

  test('the notice is read once', async ({ page }) => {
    await page.goto('/categories/');
    const notice = page.getByRole('region', { name: 'Cookies' });
    await expect(notice).toBeVisible();
    await expectAccessible(page);
    await notice.getByRole('button', { name: 'Got it' }).click();
    await expect(notice).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(notice).toHaveCount(0);
  });
});

test('a letter with a picture', async ({ page }) => {
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
