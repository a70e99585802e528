/** Tests albums, playlists and members. */
import { cards, expect, listed, test } from './fixtures';

test('from the footer to a friend of a member', async ({ page }) => {
  await page.goto('/categories/');
  const foot = page.getByRole('navigation', { name: 'Site' });
  await foot.getByRole('link', { name: 'Playlists' }).click();
  await listed(page);
  await page.getByRole('button', { name: /^Sort by/ }).click();
  await page.getByRole('link', { name: 'Most videos' }).click();
  await expect(page).toHaveURL(/\/playlists\/count-videos\/1\/$/);
  const title = (await cards(page).first().textContent()) ?? '';
  await cards(page).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await listed(page);
  await page.getByRole('link', { name: /^By / }).click();
  await expect(page).toHaveURL(/\/members\/\d+\/$/);
  await foot.getByRole('link', { name: 'Community' }).click();
  await page.locator('label', { hasText: 'With a picture' }).click();
  await expect(page).toHaveURL(/\/community\/recent\/1\/\?avatar=yes$/);
  await listed(page);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(page).toHaveURL(/\/community\/recent\/2\/\?avatar=yes$/);
  await foot.getByRole('link', { name: 'Albums' }).click();
  await listed(page);
  await cards(page).first().click();
  await expect(page.locator('main article img').first()).toBeVisible();
});

test('a member’s friends can be filtered like all members', async ({ page }) => {
  await page.goto('/community/most-popular/1/');
  await listed(page);
  const name = (await cards(page).first().textContent()) ?? '';
  await cards(page).first().click();
  await page.getByRole('link', { name: 'Friends', exact: true }).click();
  await page.getByRole('link', { name: 'Filters', exact: true }).click();
  await expect(page).toHaveURL(/\/community\/recent\/1\/\?object_id=\d+$/);
  const friend = page.getByRole('button', { name: `Remove Friends: ${name}` });
  await expect(friend).toBeVisible();
  const friends = await page.getByRole('status').textContent();
  await page.locator('label', { hasText: 'With a picture' }).click();
  await expect(page).toHaveURL(/\?avatar=yes&object_id=\d+$/);
  await friend.click();
  await expect(page).toHaveURL(/\?avatar=yes$/);
  await expect(page.getByRole('status')).not.toHaveText(friends ?? '');
});

test.describe('missing pages', () => {
  test.use({ expected: [/status of (403|404)/] });

  test('show a not-found page', async ({ page }) => {
    for (const path of ['/album/999999/', '/playlist/999999/1/', '/members/999999/', '/members/']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
    }
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, hasApp: false });

  test('community pages can be read', async ({ page }) => {
    await page.goto('/playlists/most-popular/1/');
    await page.locator('main li a').first().click();
    await expect(page.locator('main li a').first()).toBeVisible();
    await page.goto('/community/alphabet/1/');
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect(page).toHaveURL(/\/community\/alphabet\/2\/$/);
    await page.locator('main li a').first().click();
    await page.locator('main').getByRole('link', { name: 'Profile' }).click();
    await expect(page).toHaveURL(/\/info\/$/);
  });
});

test.describe('private pages', () => {
  test.use({ expected: [/status of (403|404)/] });

  test('show the reason for their error code, and are titled private when it has none', async ({
    page,
    visitor,
  }) => {
    await visitor({ lang: 'de' });
    for (const [code, text] of [
      ['playlist_is_private', 'Diese Playlist ist privat.'],
      ['dont_have_permission', 'Dafür hast du keine Berechtigung.'],
      ['some_new_reason', 'Diese Seite ist privat'],
    ] as const) {
      await page.route('**/api/json/playlist/**', (route) =>
        route.fulfill({ status: 403, json: { error: 1, code, request_id: 'x' } }),
      );
      await page.goto('/playlist/999999999/1/');
      await expect(page.getByRole('heading', { level: 1 }), code).toHaveText(text);
      // This is the title that the server rendered.
      await expect(page).toHaveTitle('Diese Seite ist privat · Lantern');
    }
  });
});
