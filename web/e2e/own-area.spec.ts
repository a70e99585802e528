/** Every page of a member's own area. */
import { expect, expectAccessibleInBoth, test } from './fixtures';
import { enter, watching } from './members';

test('the own area passes axe, dark and light', async ({ page }) => {
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
    await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
    await expectAccessibleInBoth(page);
  }
  await watching(page);
  await expect(page.getByLabel('Your comment')).toBeVisible();
  await expectAccessibleInBoth(page);
});
