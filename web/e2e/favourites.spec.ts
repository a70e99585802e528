/** Tests a member's favorites and watch-later list. */
import { cards, expect, openCard, test } from './fixtures';
import { expectText } from './members';

test('favourites and watch later: added on the page, listed, removed', async ({ newMember }) => {
  const { page, id } = await newMember();
  const title = await openCard(page, 0);
  const favourite = page.getByRole('button', { name: 'Favourite', exact: true });
  await favourite.click();
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  await expectText(page, 'Added to favourites');
  await page.getByRole('main').getByRole('button', { name: 'Watch later' }).click();
  await expectText(page, 'Saved to watch later');
  for (const list of ['favourite_videos', 'watch_later_videos']) {
    await page.goto(`/members/${String(id)}/${list}/1/`);
    await expect(cards(page)).toHaveText([title]);
    const remove = page.getByRole('button', { name: `Remove “${title}”` });
    await remove.click();
    await expect(cards(page)).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(cards(page)).toHaveText([title]);
    await page.reload();
    await expect(cards(page)).toHaveText([title]);
    await remove.click();
    await expect(cards(page)).toHaveCount(0);
    await expectText(page, 'Removed');
  }
});

test('members-only pages send guests to login and back', async ({ page }) => {
  await page.goto('/members/1/favourite_videos/1/');
  await expect(page).toHaveURL(/\/signin\/\?next=%2Fmembers%2F1%2Ffavourite_videos%2F1%2F$/);
});
