/** Going on where a video was left, the history's smaller doings, and who sees a playlist in which order. */
import type { Page } from '@playwright/test';
import { cards, expect, test } from './fixtures';
import { ageAgreed, newMember, watching } from './members';

const said = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeVisible();
const player = (page: Page) => page.locator('video');
const position = (page: Page) =>
  player(page).evaluate((video: HTMLVideoElement) => video.currentTime);
const length = (page: Page) =>
  player(page).evaluate((video: HTMLVideoElement) => video.duration || 0);

/** Watches the first half, and stops there. Gives the place in seconds. */
async function stopHalfway(page: Page, path: string): Promise<number> {
  await watching(page, path);
  await expect.poll(() => length(page)).toBeGreaterThan(0);
  await page.locator('.lantern-big-play').click();
  await expect.poll(() => position(page)).toBeGreaterThan(0.5);
  await page.keyboard.press('5');
  const half = (await length(page)) / 2;
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(half);
  await page.keyboard.press('k');
  await expect
    .poll(() => player(page).evaluate((video: HTMLVideoElement) => video.paused))
    .toBe(true);
  return Math.floor(await position(page));
}

/** The video goes on there, and says so. */
async function goesOn(page: Page, path: string, place: number) {
  await page.goto(path);
  await said(page, `Continued at 0:${String(place).padStart(2, '0')}`);
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(place);
}

/** The server was told where this video stands, not only that the history goes on. */
function told(page: Page, video: number) {
  return page.waitForResponse((response) => {
    const form = new URLSearchParams(response.request().postData() ?? '');
    return form.get('section') === 'add' && form.get('object_id') === String(video);
  });
}

test("a member's video goes on where it was left, and the history can be paused and thinned", async ({
  browser,
  baseURL,
}) => {
  const { page, context, id } = await newMember(browser, baseURL);
  const noted = page.waitForResponse(
    (response) => response.request().postData()?.includes('stopped_at=') === true,
  );
  const place = await stopHalfway(page, '/videos/21/');
  await noted;
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await goesOn(page, '/videos/21/', place);

  const history = `/members/${String(id)}/history/1/`;
  await page.goto(history);
  await expect(cards(page)).toHaveText([title]);
  await said(page, /^Stopped at 0:/);
  await page.getByRole('button', { name: 'Pause history' }).click();
  await said(page, 'History is paused: what you watch is not kept.');
  const unkept = told(page, 22);
  await watching(page, '/videos/22/');
  await unkept;
  await page.goto(history);
  await expect(cards(page)).toHaveText([title]);
  await page.getByRole('button', { name: 'Resume history' }).click();
  await expect(page.getByRole('button', { name: 'Pause history' })).toBeVisible();
  const kept = told(page, 23);
  await watching(page, '/videos/23/');
  await kept;
  const second = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await page.goto(history);
  await expect(cards(page)).toHaveText([second, title]);
  await page.getByRole('button', { name: `Remove “${title}”` }).click();
  await said(page, 'Removed');
  await page.reload();
  await expect(cards(page)).toHaveText([second]);
  await context.close();
});

test("a guest's video goes on, too, and the guest clears the history of this browser", async ({
  page,
}) => {
  const place = await stopHalfway(page, '/videos/24/');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('lantern.history') ?? ''))
    .toMatch(/"stopped_at":[1-9]/);
  await goesOn(page, '/videos/24/', place);
  await page.goto('/videos/history/1/');
  await expect(cards(page)).toHaveCount(1);
  await said(page, 'Kept in this browser only.');
  await page.getByRole('button', { name: 'Clear history' }).click();
  await page.getByRole('group').getByRole('button', { name: 'Clear history' }).click();
  await said(page, 'Your history is empty');
  await page.reload();
  await said(page, 'Your history is empty');
  expect(await page.evaluate(() => localStorage.getItem('lantern.history'))).not.toContain(
    'video_id',
  );
});

test('a playlist is seen by its owner alone until it is public, and then in the order the owner dragged it into', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id } = await newMember(browser, baseURL);
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
  const headers = { origin: new URL(baseURL ?? '').origin };
  for (const video_id of [31, 32, 33]) {
    const fields = { act: 'playlist', section: 'add', object_id: playlist_id, video_id };
    expect((await page.request.post('/api/stat.php', { form: fields, headers })).ok()).toBe(true);
  }
  const path = `/playlist/${String(playlist_id)}/1/`;

  /** What somebody without an account sees, who was never here before. */
  const asGuest = async (look: (guest: Page) => Promise<void>) => {
    const other = await browser.newContext({ baseURL: baseURL ?? '' });
    await ageAgreed(other, baseURL);
    const guest = await other.newPage();
    await guest.goto(path);
    await look(guest);
    await other.close();
  };
  const hidden = async (guest: Page) => {
    await expect(guest.getByRole('heading', { level: 1 })).toHaveText('This playlist is private.');
    await expect(guest.getByText('By the river')).toHaveCount(0);
  };
  await asGuest(hidden);

  await page.goto(path);
  await expect(cards(page)).toHaveCount(3);
  const [one = '', two = '', three = ''] = await cards(page).allTextContents();
  await page.getByRole('button', { name: 'Change order' }).click();
  const rows = page.getByRole('main').locator('ol > li');
  const handle = await rows.nth(2).locator('[aria-hidden]').first().boundingBox();
  const first = await rows.first().boundingBox();
  if (!handle || !first) throw new Error('no rows to drag');
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
  await page.mouse.down();
  await page.mouse.move(first.x + 12, first.y + first.height / 2, { steps: 8 });
  await page.mouse.up();
  await said(page, `“${three}” is now number 1`);
  await page.getByRole('button', { name: 'Done' }).click();

  const show = async (who: 'Public' | 'Private') => {
    await page.goto(path);
    await page.getByRole('button', { name: 'Edit playlist' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit playlist' });
    await edit.getByRole('radio', { name: who }).check();
    // The page counts its view through the same path.
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
  await context.close();
});
