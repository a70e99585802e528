/** Repeats a new member's journey once per alphabet. Every button, answer and mail must be in the member's language. */
import { expect, test } from './fixtures';
import { linkIn } from './mails';
import { PASSWORD } from './members';
import { speaker } from './words';

// The walk covers all screens in all languages, and unit tests fail on any missing text.
for (const lang of ['fr', 'ru', 'ja']) {
  test(`a new member signs up, saves, sorts, comments and leaves in ${lang}`, async ({
    page,
    visitor,
  }) => {
    await visitor({ lang });
    const [account, action] = [speaker('account', lang), speaker('actions', lang)];
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const said = (text: string) => expect(page.getByText(text).first()).toBeVisible();
    const name = `l-${lang}-${Date.now().toString(36)}`;
    const email = `${name}@members.example`;

    await page.goto('/signup/');
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    const form = page.getByRole('main');
    await form.getByLabel(account('username')).fill(name);
    await form.getByLabel(account('email')).fill(email);
    await form.getByLabel(account('password')).fill(PASSWORD);
    await form.getByLabel(account('agree18')).check();
    await form.getByRole('button', { name: account('signUp'), exact: true }).click();
    await expect(page.getByRole('heading', { name: account('checkMail') })).toBeVisible();
    await page.goto(await linkIn(email, /\/confirm\/\?token=[\w-]+/g));
    await form.getByRole('button', { name: account('confirmButton'), exact: true }).click();
    await said(account('confirmed'));
    await linkIn(email, new RegExp(`^Content-Language: ${lang}\r?$`, 'gim'));

    // An action begun as a guest is completed after the dialog.
    await page.goto('/videos/12/');
    await button(action('favourite')).click();
    const dialog = page.getByRole('dialog', { name: account('signIn') });
    await dialog.getByLabel(account('user')).fill(name);
    await dialog.getByLabel(account('password'), { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: account('signIn'), exact: true }).click();
    await said(action('didFavourite'));

    await page
      .getByRole('main')
      .getByRole('button', { name: action('addTo') })
      .first()
      .click();
    const lists = page.getByRole('dialog', { name: action('addTo') });
    await lists.getByRole('button', { name: action('newPlaylist') }).click();
    await lists.getByLabel(action('title')).fill('Harbour');
    await lists.getByLabel(action('description')).fill('Evenings by the harbour');
    await lists.getByRole('button', { name: action('create') }).click();
    await said(action('didAdd', { title: 'Harbour' }));
    await expect(page).toHaveURL(/\/members\/\d+\/playlists\/1\/$/);
    await page.goto('/videos/12/');

    await page.getByLabel(action('yourComment')).fill(`Seen in ${lang}, by ${name}`);
    await button(action('send')).click();
    await said(action('didComment'));
    await expect(page.getByRole('listitem').getByText(`Seen in ${lang}, by ${name}`)).toBeVisible();

    await button(account('menu', { name })).click();
    await button(account('signOut')).click();
    await expect(page.getByText(action('guest'))).toBeVisible();
    await expect(button(account('menu', { name }))).toHaveCount(0);
  });
}

for (const [size, viewport] of [
  ['a desktop', { width: 1440, height: 900 }],
  ['a phone', { width: 390, height: 844 }],
] as const) {
  test.describe(`a first visit on ${size}`, () => {
    test.use({ locale: 'pl-PL', viewport, hasTouch: viewport.width < 400 });

    test('is in the browser’s language, which the age gate lets people change', async ({
      page,
      visitor,
    }) => {
      await visitor({ adult: false });
      await page.goto('/videos/longest/1/');
      const html = page.locator('html');
      await expect(html).toHaveAttribute('lang', 'pl');
      const gate = page.getByRole('dialog');
      await gate
        .getByRole('button', { name: new RegExp(`^${speaker('common', 'pl')('header.language')}`) })
        .click();
      await page.getByRole('button', { name: 'Deutsch' }).click();
      await expect(html).toHaveAttribute('lang', 'de');
      await gate.getByRole('button', { name: speaker('common', 'de')('gate.agree') }).click();
      await expect(gate).toHaveCount(0);
      await page.reload();
      await expect(html).toHaveAttribute('lang', 'de');
    });
  });
}
