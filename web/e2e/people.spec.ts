/** A member's own area, and members among themselves: profile, friends, messages. */
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from './fixtures';
import { enter, newMember, watching } from './members';

const said = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();

test('a profile with a picture', async ({ browser, baseURL }) => {
  const { page, context, id, name } = await newMember(browser, baseURL);
  await page.goto(`/members/${String(id)}/info/`);
  const form = page.getByRole('form', { name: 'Profile' });
  await form.getByLabel('City').fill('Otaru');
  await form.getByLabel('Website').fill('not an address');
  await form.getByLabel('Relationship').selectOption({ label: 'Single' });
  // Drawn here: a picture nobody has to keep.
  const picture = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 400;
    const draw = canvas.getContext('2d');
    if (draw) {
      draw.fillStyle = '#c60';
      draw.fillRect(0, 0, 400, 400);
      draw.fillStyle = '#036';
      draw.fillRect(100, 100, 200, 200);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  await form.getByLabel(/^Profile picture/).setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from(picture, 'base64'),
  });
  await expect(form.getByRole('img', { name: 'Profile picture' })).toHaveAttribute('src', /^blob:/);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByLabel('Website')).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByLabel('City')).toHaveValue('Otaru');
  await form.getByLabel('Website').fill('https://me.example/');
  await form.getByRole('button', { name: 'Save' }).click();
  await said(page, 'Saved');
  await expectAccessible(page);
  await page.reload();
  await expect(form.getByLabel('City')).toHaveValue('Otaru');
  await expect(form.getByRole('img', { name: 'Profile picture' })).toHaveAttribute(
    'src',
    /^\/media\//,
  );
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await context.close();
});

test('two members become friends and write to each other', async ({ browser, baseURL }) => {
  test.slow();
  const one = await newMember(browser, baseURL);
  const other = await newMember(browser, baseURL);
  await one.page.goto(`/members/${String(other.id)}/`);
  await one.page.getByRole('button', { name: 'Add friend' }).click();
  await said(one.page, 'Friend request sent');
  await expect(one.page.getByRole('button', { name: 'Cancel request' })).toBeVisible();

  await other.page.goto(`/members/${String(other.id)}/friends/1/`);
  await expect(other.page.getByRole('link', { name: 'Friends (1)' })).toBeVisible();
  await other.page
    .getByRole('region', { name: 'Friend requests' })
    .getByRole('button', { name: 'Accept' })
    .click();
  await said(other.page, 'You are friends now');
  await expect(other.page.getByRole('link', { name: 'Friends', exact: true })).toBeVisible();

  await one.page.reload();
  // A word that says what a click does has no pressed state beside it.
  await expect(one.page.getByRole('button', { name: 'Remove friend' })).toBeVisible();
  await expect(one.page.getByRole('button', { name: 'Remove friend', pressed: true })).toHaveCount(
    0,
  );
  await one.page.getByRole('button', { name: 'Message', exact: true }).click();
  await expect(one.page).toHaveURL(new RegExp(`/members/${String(one.id)}/messages/\\?with=`));
  const box = one.page.getByRole('textbox', { name: 'Your message' });
  await box.fill('See you at the harbour');
  await box.press('Enter');
  await expect(one.page.getByRole('log').getByText('See you at the harbour')).toBeVisible();
  await expect(box).toHaveValue('');

  await other.page.goto(`/members/${String(other.id)}/messages/`);
  await expect(other.page.getByRole('link', { name: 'Messages (1)' })).toBeVisible();
  await other.page.getByRole('link', { name: new RegExp(one.name) }).click();
  await expect(other.page.getByRole('log').getByText('See you at the harbour')).toBeVisible();
  await expect(other.page.getByRole('link', { name: 'Messages', exact: true })).toBeVisible();
  await other.page.getByRole('textbox', { name: 'Your message' }).fill('At eight then');
  await other.page.getByRole('button', { name: 'Send' }).click();
  await expect(other.page.getByRole('log').getByText('At eight then')).toBeVisible();
  await expectAccessible(other.page);

  await one.page.reload();
  const log = one.page.getByRole('log');
  await expect(log.getByText('At eight then')).toBeVisible();
  await one.page.getByRole('button', { name: 'Delete conversation' }).click();
  await one.page.getByRole('button', { name: 'Delete conversation' }).click();
  await said(one.page, 'No messages yet');
  await one.context.close();
  await other.context.close();
});

for (const scheme of ['dark', 'light'] as const) {
  test.describe(`axe, ${scheme}`, () => {
    test.use({ colorScheme: scheme });

    test('the own area', async ({ page }) => {
      test.slow();
      const id = await enter(page);
      for (const tab of [
        '',
        'favourite_videos/1/',
        'watch_later_videos/1/',
        'history/1/',
        'playlists/1/',
        'albums/1/',
        'subscriptions/',
        'friends/1/',
        'wall/1/',
        'messages/',
        'info/',
      ]) {
        await page.goto(`/members/${String(id)}/${tab}`);
        await expect(page.locator('.plain')).toHaveCount(0);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText('demo');
        await expect(page.getByRole('link', { name: /^Favourites/ }).first()).toBeVisible();
        await page.waitForLoadState('networkidle');
        await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
        await expectAccessible(page);
      }
      await watching(page);
      await expect(page.getByLabel('Your comment')).toBeVisible();
      await expectAccessible(page);
    });
  });
}
