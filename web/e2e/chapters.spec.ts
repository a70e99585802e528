/** Tests chapters, and times in descriptions and comments, which play the video from there. */
import { expect, expectAccessible, test } from './fixtures';
import { isPaused, length, loaded, play, position, withControls } from './player';

/** A video with chapters at 0, 5, 10 and 15 seconds. Its clip is a little longer. */
const VIDEO = '/videos/12/';

test('chapters play the video from there, also before it has started', async ({ page }) => {
  const files = loaded(page);
  await page.goto(VIDEO);
  const chapters = page.getByRole('region', { name: 'Chapters' });
  const link = (name: string) => chapters.getByRole('link', { name });
  await expect(chapters.getByRole('listitem')).toHaveCount(4);
  await expect(link('0:10')).toHaveAttribute('href', /\/videos\/12\/[^/]+\/\?start_time=10$/);
  await expectAccessible(page);
  expect(files).toEqual([]);
  await link('0:10').click();
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(10);
  await expect(link('0:10')).toHaveAttribute('aria-current', 'true');
  expect(await isPaused(page)).toBe(false);
  await expect(page).toHaveURL(/\/videos\/12\/$/);

  // The same element seeks, and the keyboard works, too.
  const film = await page.locator('.lantern-player video').elementHandle();
  await link('0:00').press('Enter');
  await expect.poll(() => position(page)).toBeLessThan(5);
  await expect(link('0:00')).toHaveAttribute('aria-current', 'true');
  await link('0:15').click();
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(15);
  expect(await film.evaluate((element) => element.isConnected)).toBe(true);
  await expect(chapters.locator('[aria-current=true]')).toHaveCount(1);
});

test('the seek bar has a segment for each chapter and names it', async ({ page }) => {
  await page.goto(VIDEO);
  await play(page);
  const bar = page.locator('media-time-range');
  const segments = () =>
    bar.evaluate(
      (element) => element.shadowRoot?.querySelectorAll('#segments-clipping rect').length,
    );
  await expect.poll(segments).toBe(4);
  const end = await length(page);
  await withControls(page, async () => {
    const box = await bar.boundingBox();
    if (!box) throw new Error('no seek bar');
    await page.mouse.move(box.x + 16 + ((box.width - 32) * 12) / end, box.y + box.height / 2);
    await expect(bar).toHaveAttribute('mediapreviewchapter', 'Highlights', { timeout: 1000 });
  });
});

test('times in descriptions and comments play the video from there', async ({ newMember }) => {
  const { page } = await newMember();
  await page.goto(VIDEO);
  const said = 'From 0:15 on <b>1:99</b> and every day at 10:30 pm';
  await page.getByLabel('Your comment').fill(said);
  await page.getByRole('button', { name: 'Send' }).click();
  const comments = page.getByRole('region', { name: 'Comments' });
  const comment = comments.getByRole('listitem').filter({ hasText: said });
  await expect(comment.getByRole('link', { name: /\d:\d/ })).toHaveText(['0:15']);
  await comment.getByRole('link', { name: '0:15' }).click();
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(15);
  await expect(page.locator('.lantern-player')).toBeInViewport();
  await expect(page).toHaveURL(/\/videos\/12\/$/);

  await page.getByRole('button', { name: 'Show more' }).click();
  const time = page.locator('p').getByRole('link', { name: '0:05' });
  await time.click();
  await expect.poll(() => position(page)).toBeLessThan(15);
  expect(await position(page)).toBeGreaterThanOrEqual(5);
  // The address is for other tabs.
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    time.click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(other).toHaveURL(/\?start_time=5$/);
});

test('the player for other sites has a menu of chapters', async ({ page }) => {
  await page.goto('/embed/12/');
  const video = page.locator('video');
  const at = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
  await page.getByText('Chapters').click();
  await page.getByRole('link', { name: '0:10' }).click();
  await expect.poll(at).toBeGreaterThanOrEqual(10);
  await expect(page).toHaveURL(/\/embed\/12\/$/);
  await expect(page.locator('[aria-current]')).toHaveText(/^0:10/);
});
