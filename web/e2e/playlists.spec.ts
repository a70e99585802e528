/** Tests a member's playlists: contents, order and visibility. */
import type { Page } from '@playwright/test';
import { cards, expect, listed, openCard, test } from './fixtures';
import { expectText, sent } from './members';
import { isPaused, position } from './player';

// Requests for owner-only data first get a guest's response, and then the app requests more.
test.use({ expected: [/status of 403/] });

test('a playlist is created with a video, edited, reordered and deleted', async ({ newMember }) => {
  const { page, id } = await newMember();
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
  // The typed text is retained.
  await expect(dialog.getByLabel('Description')).toHaveValue('Evenings by the harbour');
  await dialog.getByLabel('Title').fill('Harbour');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expectText(page, 'Added to “Harbour”');
  // Creating a playlist leads to the list of all playlists.
  const lists = new RegExp(`/members/${String(id)}/playlists/1/$`);
  await expect(page).toHaveURL(lists);
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Harbour', exact: true })).toBeVisible();

  // Add a second video from a card's menu.
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
  // The menu moves the focus shortly after the key press.
  await expect(page.getByRole('menuitem', { name: 'Add to playlist' })).toBeFocused();
  await page.keyboard.press('Enter');
  // Nothing can be checked until the playlists that contain the video are loaded.
  await expect(dialog.locator('[aria-busy="true"]')).toBeVisible();
  await expect(dialog.getByRole('checkbox')).toHaveCount(0);
  tell?.();
  const harbour = dialog.getByRole('checkbox', { name: /Harbour/ });
  await harbour.click();
  await expect(harbour).toBeChecked();
  await expectText(page, 'Added to “Harbour”');
  await page.keyboard.press('Escape');

  await page.goto(`/members/${String(id)}/playlists/1/`);
  await expect(page.getByText('Private')).toBeVisible();
  await page.getByRole('link', { name: 'Harbour', exact: true }).click();
  await expect(cards(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Change order' }).click();
  await page.getByRole('button', { name: `Move “${second}” up` }).click();
  await expectText(page, `“${second}” is now number 1`);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.reload();
  await expect(cards(page).first()).toHaveText(second);
  await page.getByRole('button', { name: `Remove “${second}”` }).click();
  await expect(cards(page)).toHaveCount(1);
  await expect(page.getByText(/^Videos: 1 · /)).toBeVisible();
  const back = page.waitForResponse('**/api/stat.php');
  await page.getByRole('button', { name: 'Undo' }).click();
  // The change is shown before the server has stored it.
  await expect(cards(page).first()).toHaveText(second);
  expect((await back).ok()).toBe(true);
  await expect(page.getByText(/^Videos: 2 · /)).toBeVisible();
  await page.reload();
  // The video is back in its place, not at the end.
  await expect(cards(page).first()).toHaveText(second);
  await page.getByRole('button', { name: 'Edit playlist' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit playlist' });
  await edit.getByLabel('Title').fill('Harbour lights');
  await edit.getByRole('radio', { name: 'Public' }).check();
  await edit.getByRole('button', { name: 'Save' }).click();
  // Saving an edit also leads to that list.
  await expect(page).toHaveURL(lists);
  await page.getByRole('link', { name: 'Harbour lights', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour lights');
  await page.getByRole('button', { name: 'Delete “Harbour lights”' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL(lists);
  await expectText(page, 'You have no playlists yet');
});

test('a playlist is visible only to its owner until public, then in the order the owner dragged it into', async ({
  newMember,
  newGuest,
}) => {
  const { page, id } = await newMember();
  await page.goto(`/members/${String(id)}/playlists/1/`);
  await page.getByRole('button', { name: 'New playlist' }).click();
  const form = page.getByRole('dialog', { name: 'New playlist' });
  await form.getByLabel('Title').fill('By the river');
  await form.getByLabel('Description').fill('Bridges and boats');
  await expect(form.getByRole('radio', { name: 'Private' })).toBeChecked();
  const made = page.waitForResponse(
    (response) => response.request().postData()?.includes('visible=') === true,
  );
  await form.getByRole('button', { name: 'Create' }).click();
  expect((await made).request().postData()).toContain('visible=0');
  const { playlist_id } = (await (await made).json()) as { playlist_id: number };
  for (const video_id of [31, 32, 33]) {
    const fields = { act: 'playlist', section: 'add', object_id: playlist_id, video_id };
    await sent(page, '/api/stat.php', fields);
  }
  const path = `/playlist/${String(playlist_id)}/1/`;

  /** Checks as a first-time guest and retries, because cached pages reflect a change only after a moment. */
  const asGuest = (look: (guest: Page) => Promise<void>) =>
    expect(async () => {
      const guest = await newGuest();
      await guest.goto(path);
      await look(guest).finally(() => guest.close());
    }).toPass();
  const hidden = async (guest: Page) => {
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This playlist is private.');
    await expect(guest.getByText('By the river')).toHaveCount(0);
  };
  await asGuest(hidden);

  await page.goto(path);
  let titles: string[] = [];
  // The list renders a second time once the page knows its owner.
  await expect(async () => {
    titles = await cards(page).allTextContents();
    expect(titles.filter(Boolean)).toHaveLength(3);
  }).toPass();
  const [one = '', two = '', three = ''] = titles;
  await page.getByRole('button', { name: 'Change order' }).click();
  const rows = page.getByRole('main').locator('ol > li');
  const handle = await rows.nth(2).locator('[aria-hidden]').first().boundingBox();
  const first = await rows.first().boundingBox();
  if (!handle || !first) throw new Error('no rows to drag');
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(first.x + 12, first.y + first.height / 2, { steps: 8 });
  await page.mouse.up();
  await expectText(page, `“${three}” is now number 1`);
  await page.getByRole('button', { name: 'Done' }).click();

  const show = async (who: 'Public' | 'Private') => {
    await page.goto(path);
    await page.getByRole('button', { name: 'Edit playlist' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit playlist' });
    await edit.getByRole('radio', { name: who }).check();
    // The page reports its view to the same path.
    const sent = page.waitForRequest(
      (request) => request.postData()?.includes('visible=') === true,
    );
    await edit.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postData()).toContain(`visible=${who === 'Public' ? '1' : '0'}`);
    await expect(page).toHaveURL(new RegExp(`/members/${String(id)}/playlists/1/$`));
  };
  await show('Public');
  await asGuest(async (guest) => {
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('By the river');
    await expect(cards(guest)).toHaveText([three, one, two]);
    await expect(guest.getByRole('button', { name: 'Edit playlist' })).toHaveCount(0);
  });
  await show('Private');
  await asGuest(hidden);
});

test('a playlist plays from one video to the next until its end', async ({ newMember }) => {
  const { page } = await newMember();
  const made = await sent(page, '/api/stat.php', {
    act: 'playlist',
    section: 'new',
    title: 'Two evenings',
    desc: 'One after the other',
    visible: 0,
  });
  const { playlist_id } = (await made.json()) as { playlist_id: number };
  for (const video_id of [41, 42]) {
    const fields = { act: 'playlist', section: 'add', object_id: playlist_id, video_id };
    await sent(page, '/api/stat.php', fields);
  }
  await page.goto(`/playlist/${String(playlist_id)}/1/`);
  // The owner's list replaces the public one.
  await expect(page.getByRole('button', { name: 'Edit playlist' })).toBeVisible();
  await expect(cards(page)).toHaveText([/\S/, /\S/]);
  const inPlaylist = new RegExp(`/\\?playlist=${String(playlist_id)}&autoplay=1$`);
  await expect(cards(page).first()).toHaveAttribute('href', inPlaylist);
  const [one = '', two = ''] = await cards(page).allTextContents();
  await page.getByRole('link', { name: 'Play all' }).click();
  const strip = page.getByRole('region', { name: 'Two evenings' });
  const current = strip.locator('[aria-current]');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(one);
  await expect(current).toContainText(one);
  await expect(strip.getByText('1 of 2')).toBeVisible();
  await expect.poll(() => position(page)).toBeGreaterThan(0);

  await page.keyboard.press('9');
  await expect(page.getByRole('timer')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('timer')).toHaveCount(0);
  await page.getByRole('button', { name: 'Watch again' }).click();
  await expect.poll(() => isPaused(page)).toBe(false);
  await page.keyboard.press('9');
  await page.getByRole('link', { name: 'Play now' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(two);
  await expect(current).toContainText(two);
  await expect.poll(() => position(page)).toBeGreaterThan(0);
  await page.keyboard.press('9');
  // At the end, related videos are shown.
  await expect(page.getByRole('list', { name: 'Related videos' }).last()).toBeVisible();
  await expect(page.getByRole('timer')).toHaveCount(0);
});
