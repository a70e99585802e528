/** Tests the watch history and resuming a video. Guests' history is kept in the browser, members' on the server. */
import type { Page } from '@playwright/test';
import { cards, expect, expectAccessible, openCard, test } from './fixtures';
import { expectText, watching } from './members';
import { isPaused, length, play, position } from './player';

/** Watches the first half and stops. Returns the position in seconds. */
async function stopHalfway(page: Page, path: string): Promise<number> {
  await watching(page, path);
  await play(page);
  await expect.poll(() => position(page)).toBeGreaterThan(0.5);
  await page.keyboard.press('5');
  // Pause at once, because on a busy machine the video would end before the next check.
  await page.keyboard.press('k');
  await expect.poll(() => isPaused(page)).toBe(true);
  // Players learn the exact duration while loading.
  const half = Math.floor((await length(page)) / 2);
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(half);
  return Math.floor(await position(page));
}

/** Asserts that the video resumes at that position and tells the viewer so. */
async function expectResumed(page: Page, path: string, place: number) {
  await page.goto(path);
  await play(page);
  await page.keyboard.press('k');
  await expectText(page, `Continued at 0:${String(place).padStart(2, '0')}`);
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(place);
}

/** Collects the positions, in seconds, that the server has stored. */
function storedPositions(page: Page): number[] {
  const places: number[] = [];
  page.on('response', (response) => {
    const form = new URLSearchParams(response.request().postData() ?? '');
    if (form.has('stopped_at')) places.push(Number(form.get('stopped_at')));
  });
  return places;
}

/** Waits until the server has stored this video's position, not just any history entry. */
function progressStored(page: Page, video: number) {
  return page.waitForResponse((response) => {
    const form = new URLSearchParams(response.request().postData() ?? '');
    return form.get('section') === 'add' && form.get('object_id') === String(video);
  });
}

test('guests are invited to comment and have their own history', async ({ page }) => {
  const title = await openCard(page, 4);
  const comments = page.getByRole('region', { name: 'Comments' });
  await expect(comments.getByRole('link', { name: 'Sign up' })).toBeVisible();
  await comments.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('dialog', { name: 'Log in' })).toBeVisible();
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
  await expectText(page, 'History is paused');
  // A view is counted once the visitor has watched enough.
  const counted = page.waitForResponse(
    (response) => response.request().postData()?.includes('act=view') === true,
  );
  await openCard(page, 5);
  await counted;
  await page.goto('/videos/history/1/');
  await expect(cards(page)).toHaveText([title]);
  const remove = page.getByRole('button', { name: `Remove “${title}”` });
  await remove.click();
  await expectText(page, 'Your history is empty');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cards(page)).toHaveText([title]);
  await remove.click();
  await expectText(page, 'Your history is empty');
});

test('a member’s history is stored on the server and can be cleared', async ({ newMember }) => {
  const { page, id } = await newMember();
  const kept = page.waitForResponse(
    (response) => response.request().postData()?.includes('act=history') === true,
  );
  const title = await openCard(page, 6);
  await kept;
  await page.goto(`/members/${String(id)}/history/1/`);
  await expect(cards(page)).toHaveText([title]);
  await page.goto('/videos/history/1/');
  await expect(cards(page)).toHaveText([title]);
  await page.getByRole('button', { name: 'Clear history' }).click();
  await page.getByRole('group').getByRole('button', { name: 'Clear history' }).click();
  await expectText(page, 'Your history is empty');
  await page.reload();
  await expectText(page, 'Your history is empty');
});

test('a member’s video resumes, and the history can be paused and pruned', async ({
  newMember,
}) => {
  const { page, id } = await newMember();
  const places = storedPositions(page);
  const place = await stopHalfway(page, '/videos/21/');
  await expect.poll(() => places).toContain(place);
  const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await expectResumed(page, '/videos/21/', place);

  const history = `/members/${String(id)}/history/1/`;
  await page.goto(history);
  await expect(cards(page)).toHaveText([title]);
  await expectText(page, /^Stopped at 0:/);
  await page.getByRole('button', { name: 'Pause history' }).click();
  await expectText(page, 'History is paused: what you watch is not saved.');
  const unkept = progressStored(page, 22);
  await watching(page, '/videos/22/');
  await unkept;
  await page.goto(history);
  await expect(cards(page)).toHaveText([title]);
  await page.getByRole('button', { name: 'Resume history' }).click();
  await expect(page.getByRole('button', { name: 'Pause history' })).toBeVisible();
  const kept = progressStored(page, 23);
  await watching(page, '/videos/23/');
  await kept;
  const second = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await page.goto(history);
  await expect(cards(page)).toHaveText([second, title]);
  await page.getByRole('button', { name: `Remove “${title}”` }).click();
  await expectText(page, 'Removed');
  await page.reload();
  await expect(cards(page)).toHaveText([second]);
});

test('a guest’s video resumes, too, and the guest clears this browser’s history', async ({
  page,
}) => {
  const place = await stopHalfway(page, '/videos/24/');
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('lantern.history') ?? ''))
    .toMatch(/"stopped_at":[1-9]/);
  await expectResumed(page, '/videos/24/', place);
  await page.goto('/videos/history/1/');
  await expect(cards(page)).toHaveCount(1);
  await expectText(page, 'Saved in this browser only.');
  await page.getByRole('button', { name: 'Clear history' }).click();
  await page.getByRole('group').getByRole('button', { name: 'Clear history' }).click();
  await expectText(page, 'Your history is empty');
  await page.reload();
  await expectText(page, 'Your history is empty');
  expect(await page.evaluate(() => localStorage.getItem('lantern.history'))).not.toContain(
    'video_id',
  );
});
