/** What members do with videos: votes, lists, comments, history. Each journey has its own member. */
import type { Page } from '@playwright/test';
import { cards, expect, expectAccessible, listed, test } from './fixtures';
import { newMember, watching } from './members';

const said = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();
/** The first videos of the list of newest ones, one for each journey. */
async function openCard(page: Page, at: number): Promise<string> {
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  const title = (await cards(page).nth(at).textContent()) ?? '';
  await cards(page).nth(at).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('button', { name: 'Favourite', exact: true })).toBeVisible();
  return title;
}

test.describe('votes', () => {
  test.use({ expected: [/status of 409/] });

  test('count once', async ({ browser, baseURL }) => {
    const { page, context } = await newMember(browser, baseURL);
    await watching(page);
    const like = page.getByRole('button', { name: /^Like: / });
    const count = async () => Number((await like.textContent())?.replace(/\D/g, ''));
    const before = await count();
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    expect(await count()).toBe(before + 1);
    await said(page, 'Thank you for your vote.');
    await page.getByRole('button', { name: /^Dislike: / }).click();
    await said(page, 'You have voted already.');
    // What was shown at once is taken back.
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    expect(await count()).toBe(before + 1);
    await page.reload();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    await context.close();
  });
});

test('favourites and videos for later, from the page to the list and out of it', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id } = await newMember(browser, baseURL);
  const title = await openCard(page, 0);
  const favourite = page.getByRole('button', { name: 'Favourite', exact: true });
  await favourite.click();
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  await said(page, 'Added to favourites');
  await page.getByRole('main').getByRole('button', { name: 'Watch later' }).click();
  await said(page, 'Saved to watch later');
  for (const list of ['favourite_videos', 'watch_later_videos']) {
    await page.goto(`/members/${String(id)}/${list}/1/`);
    await expect(cards(page)).toHaveText([title]);
    await page.getByRole('button', { name: `Remove “${title}”` }).click();
    await expect(cards(page)).toHaveCount(0);
    await said(page, 'Removed');
  }
  await context.close();
});

test('a video into a new playlist, and the playlist changed, ordered and deleted', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id } = await newMember(browser, baseURL);
  await openCard(page, 1);
  await page.getByRole('button', { name: 'Add to playlist' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add to playlist' });
  await expect(dialog.getByText('You have no playlists yet')).toBeVisible();
  await dialog.getByRole('button', { name: 'New playlist' }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('Please fill in this field')).toHaveCount(2);
  await dialog.getByLabel('Title').fill('ab');
  await dialog.getByLabel('Description').fill('Evenings by the harbour');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByText('At least 3 characters, please.')).toBeVisible();
  // What was typed is still there.
  await expect(dialog.getByLabel('Description')).toHaveValue('Evenings by the harbour');
  await dialog.getByLabel('Title').fill('Harbour');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await said(page, 'Added to “Harbour”');
  // A playlist that was made leads to all of them.
  const lists = new RegExp(`/members/${String(id)}/playlists/1/$`);
  await expect(page).toHaveURL(lists);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Harbour', exact: true })).toBeVisible();

  // A second video, by the menu of a card.
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  const card = page.locator('main article').nth(2);
  const second = (await card.getByRole('heading').textContent()) ?? '';
  let tell: (() => void) | undefined;
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.route('**/api/member_state.php?*', async (route) => {
    await told;
    await route.continue();
  });
  await card.hover();
  await card.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Watch later' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  // Nothing can be ticked before it is known which lists hold the video.
  await expect(dialog.locator('[aria-busy="true"]')).toBeVisible();
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  tell?.();
  const harbour = dialog.getByRole('checkbox', { name: /Harbour/ });
  await harbour.click();
  await expect(harbour).toBeChecked();
  await said(page, 'Added to “Harbour”');
  await page.keyboard.press('Escape');

  await page.goto(`/members/${String(id)}/playlists/1/`);
  await expect(page.getByText('Private')).toBeVisible();
  await page.getByRole('link', { name: 'Harbour', exact: true }).click();
  await expect(cards(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Change order' }).click();
  await page.getByRole('button', { name: `Move “${second}” up` }).click();
  await said(page, `“${second}” is now number 1`);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await expect(cards(page).first()).toHaveText(second);
  await page.getByRole('button', { name: 'Edit playlist' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit playlist' });
  await edit.getByLabel('Title').fill('Harbour lights');
  await edit.getByRole('radio', { name: 'Public' }).check();
  await edit.getByRole('button', { name: 'Save' }).click();
  // So does one that was changed.
  await expect(page).toHaveURL(lists);
  await page.getByRole('link', { name: 'Harbour lights', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour lights');
  await page.getByRole('button', { name: 'Delete “Harbour lights”' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL(lists);
  await said(page, 'You have no playlists yet');
  await context.close();
});

test.describe('comments', () => {
  test.use({ expected: [/status of 429/] });

  test('five are taken, the sixth is told when', async ({ browser, baseURL }) => {
    const { page, context } = await newMember(browser, baseURL);
    await openCard(page, 3);
    const box = page.getByLabel('Your comment');
    const send = page.getByRole('button', { name: 'Send' });
    const region = page.getByRole('region', { name: 'Comments' });
    await send.click();
    await expect(region.getByText('Please fill in this field')).toBeVisible();
    await box.fill('four');
    await send.click();
    await expect(
      region.getByText('Your comment is too short: at least 5 characters.'),
    ).toBeVisible();
    for (const number of [1, 2, 3, 4, 5]) {
      await box.fill(`Evening light, number ${String(number)}`);
      await send.click();
      await expect(box).toHaveValue('');
      await expect(region.getByText(`Evening light, number ${String(number)}`)).toBeVisible();
    }
    await box.fill('Evening light, number 6');
    await send.click();
    await expect(region.getByText(/No more than 5 comments in 10 minutes/)).toBeVisible();
    await expect(region.getByRole('timer')).toHaveText(/You can write again in (9|10):\d\d/);
    await expect(send).toBeDisabled();
    await expect(box).toHaveValue('Evening light, number 6');
    const last = region.getByRole('listitem').filter({ hasText: 'number 5' });
    await last.getByRole('button', { name: 'Delete' }).click();
    await last.getByRole('group').getByRole('button', { name: 'Delete' }).click();
    await expect(last).toHaveCount(0);
    await page.reload();
    await expect(region.getByText('Evening light, number 4')).toBeVisible();
    await expect(region.getByText('Evening light, number 5')).toHaveCount(0);
    await context.close();
  });
});

test('guests are asked in to comment, and have a history of their own', async ({ page }) => {
  const title = await openCard(page, 4);
  const comments = page.getByRole('region', { name: 'Comments' });
  await expect(comments.getByRole('link', { name: 'Register' })).toBeVisible();
  await comments.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('lantern.history') ?? ''))
    .toContain(title);

  await page.goto('/history/');
  await expect(page).toHaveURL(/\/videos\/history\/1\/$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('History');
  await expect(cards(page)).toHaveText([title]);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pause history' }).click();
  await said(page, 'History is paused');
  await openCard(page, 5);
  // Longer than it takes to count as watched.
  await page.waitForResponse((response) => response.url().endsWith('/api/stat.php'));
  await page.goto('/videos/history/1/');
  await expect(cards(page)).toHaveText([title]);
  await page.getByRole('button', { name: `Remove “${title}”` }).click();
  await said(page, 'Your history is empty');
});

test("a member's history is the server's, and can be cleared", async ({ browser, baseURL }) => {
  const { page, context, id } = await newMember(browser, baseURL);
  const noted = page.waitForResponse(
    (response) => response.request().postData()?.includes('act=history') === true,
  );
  const title = await openCard(page, 6);
  await noted;
  await page.goto(`/members/${String(id)}/history/1/`);
  await expect(cards(page)).toHaveText([title]);
  await page.goto('/videos/history/1/');
  await expect(cards(page)).toHaveText([title]);
  await page.getByRole('button', { name: 'Clear history' }).click();
  await page.getByRole('group').getByRole('button', { name: 'Clear history' }).click();
  await said(page, 'Your history is empty');
  await page.reload();
  await said(page, 'Your history is empty');
  await context.close();
});

test('what is only for members leads guests to the sign-in and back', async ({ page }) => {
  await page.goto('/members/1/favourite_videos/1/');
  await expect(page).toHaveURL(/\/signin\/\?next=%2Fmembers%2F1%2Ffavourite_videos%2F1%2F$/);
});

test('the wall of a model', async ({ page }) => {
  await page.goto('/models/most-popular/1/');
  await listed(page);
  await cards(page).first().click();
  await page.getByRole('link', { name: 'Wall' }).click();
  await expect(page).toHaveURL(/\/model\/[^/]+\/wall\/$/);
  await expect(page.getByRole('region', { name: 'Comments' })).toBeVisible();
  await expectAccessible(page);
});
