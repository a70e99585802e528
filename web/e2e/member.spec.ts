/** What members do: votes, lists, comments, history, profile, messages, friends. Each journey has its own member. */
import type { Page } from '@playwright/test';
import { cards, expect, expectAccessible, listed, test } from './fixtures';
import { enter, newMember } from './members';

const VIDEO = '/videos/12/';

/** The words under the player are there, so its buttons are, too. */
async function watching(page: Page, path = VIDEO) {
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Favourite' })).toBeVisible();
}
const said = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();
/** The first videos of the list of newest ones, one for each journey. */
async function openCard(page: Page, at: number): Promise<string> {
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  const title = (await cards(page).nth(at).textContent()) ?? '';
  await cards(page).nth(at).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('button', { name: 'Favourite' })).toBeVisible();
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
  const favourite = page.getByRole('button', { name: 'Favourite' });
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
  await expect(dialog.getByRole('checkbox', { name: /Harbour/ })).toBeChecked();
  await page.keyboard.press('Escape');

  // A second video, by the menu of a card.
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  const card = page.locator('main article').nth(2);
  const second = (await card.getByRole('heading').textContent()) ?? '';
  await card.hover();
  await card.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Watch later' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.getByRole('checkbox', { name: /Harbour/ }).check();
  await said(page, 'Added to “Harbour”');
  await page.keyboard.press('Escape');

  await page.goto(`/members/${String(id)}/playlists/1/`);
  await expect(page.getByText('Private')).toBeVisible();
  await page.getByRole('link', { name: 'Harbour' }).click();
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
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour lights');
  await page.getByRole('button', { name: 'Delete “Harbour lights”' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/members/${String(id)}/playlists/1/$`));
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
  await expect(one.page.getByRole('button', { name: 'Remove friend' })).toBeVisible();
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
