/** Crops a picture and a frame of a video, with the mouse and with the keyboard. The moderator sees what is stored. */
import type { Locator, Page } from '@playwright/test';
import type { Schema } from '../../src/api/call';
import { UPLOAD_STATUS } from '../../src/api/status';
import { expect, expectAccessible } from '../fixtures';
import { enter } from '../members';
import { openDesk, openReview } from '../moderator';
import { isAll, QUARTERS, quartered } from '../pictures';
import { test } from '../site';

/** Returns a video of the member at this page that is public. */
async function ownVideo(page: Page): Promise<Schema<'OwnVideo'>> {
  const answer = await page.request.get('/api/member_lists.php?list=uploaded_videos&lang=en');
  const { videos } = (await answer.json()) as { videos: Schema<'OwnVideo'>[] };
  const video = videos.find(({ status_id }) => status_id === UPLOAD_STATUS.published);
  if (!video) throw new Error('no public upload');
  return video;
}

/** Drags the picture under its frame by a distance in pixels. */
async function drag(page: Page, frame: Locator, x: number, y: number): Promise<void> {
  await frame.scrollIntoViewIfNeeded();
  const box = await frame.boundingBox();
  if (!box) throw new Error('no frame');
  const [left, top] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + x / 2, top + y / 2);
  await page.mouse.move(left + x, top + y);
  await page.mouse.up();
}

// The second factor is asked for.
test.use({ expected: [/status of 403/] });

test('the chosen part of a picture or of a frame becomes the poster', async ({
  page,
  newMember,
  site,
}) => {
  await enter(page);
  const { video_id, title } = await ownVideo(page);
  await page.goto(`/edit/?video_id=${String(video_id)}`);
  const own = page.getByRole('form', { name: /^Or upload your own picture/ });
  const field = own.getByLabel('Or upload your own picture');
  const frame = own.getByRole('application', { name: 'Part of the picture that is shown' });
  const zoom = own.getByRole('slider', { name: 'Zoom' });
  const status = own.getByRole('status');
  const present = own.getByRole('img', { name: 'Your picture' });
  /** Uploads the chosen part, and returns the address of the poster, 320 pixels wide. */
  const upload = async () => {
    const answer = page.waitForResponse('**/api/video_poster.php');
    await own.getByRole('button', { name: 'Upload the picture' }).click();
    const { poster } = (await (await answer).json()) as Schema<'PosterAnswer'>;
    await expect(present).toHaveAttribute('src', poster);
    return poster;
  };

  await field.setInputFiles(await quartered(page, 800, 1000));
  await expect(status).toHaveText('Shown: 0% from the left, 28% from the top, 100% of the width');
  await expectAccessible(page);
  await zoom.fill('2.5');
  await drag(page, frame, 2000, 2000);
  await expect(status).toHaveText('Shown: 0% from the left, 0% from the top, 40% of the width');
  const poster = await upload();
  for (const width of ['320', '640', '1280']) {
    expect(await isAll(page, poster.replace('320', width), QUARTERS.topLeft)).toBe(true);
  }

  // The keyboard does the same, and the start can be restored.
  await field.setInputFiles(await quartered(page, 800, 1000));
  await frame.focus();
  for (let times = 0; times < 9; times += 1) await page.keyboard.press('+');
  await page.keyboard.press('-');
  await expect(zoom).toHaveAttribute('aria-valuetext', '214%');
  for (let times = 0; times < 800; times += 20) {
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
  }
  await expect(status).toHaveText('Shown: 53% from the left, 79% from the top, 47% of the width');
  await own.getByRole('button', { name: 'Reset' }).click();
  await expect(status).toHaveText('Shown: 0% from the left, 28% from the top, 100% of the width');
  await zoom.fill('2.5');
  await drag(page, frame, -2000, -2000);
  const other = await upload();
  expect(await isAll(page, other, QUARTERS.bottomRight)).toBe(true);

  const { page: desk, name } = await newMember();
  await openDesk(desk, name, site);
  const review = await openReview(desk, title);
  const seen = review.getByRole('img').first();
  await expect(seen).toHaveAttribute('src', other.replace('320', '640'));
  expect(await isAll(desk, other.replace('320', '640'), QUARTERS.bottomRight)).toBe(true);

  // A frame is captured whole, and its part is sent with it.
  await page.getByRole('button', { name: 'Or pick a moment of the video' }).click();
  const moment = page.getByRole('form', { name: /^Or pick a moment/ });
  const film = moment.locator('video');
  await expect.poll(() => film.evaluate((shown: HTMLVideoElement) => shown.readyState)).toBe(4);
  await moment.getByRole('button', { name: 'Crop this moment' }).click();
  await expect(film).toBeHidden();
  await moment.getByRole('button', { name: 'Pick another moment' }).click();
  await expect(film).toBeVisible();
  await moment.getByRole('button', { name: 'Crop this moment' }).click();
  await moment.getByRole('slider', { name: 'Zoom' }).fill('1.5');
  // Playwright doesn't show forms with files.
  await page.evaluate(() => {
    const send = window.fetch.bind(window);
    window.fetch = (address, init) => {
      if (init?.body instanceof FormData) {
        const fields = [...init.body].filter(([, value]) => typeof value === 'string');
        document.body.dataset.sent = JSON.stringify(Object.fromEntries(fields));
      }
      return send(address, init);
    };
  });
  await moment.getByRole('button', { name: 'Use this moment' }).click();
  await expect(present).not.toHaveAttribute('src', other);
  const [wide, high] = await film.evaluate((shown: HTMLVideoElement) => [
    shown.videoWidth,
    shown.videoHeight,
  ]);
  const part = JSON.parse(
    (await page.evaluate(() => document.body.dataset.sent)) ?? '{}',
  ) as Record<string, string>;
  const expected = {
    crop_x: wide / 6,
    crop_y: high / 6,
    crop_width: wide / 1.5,
    crop_height: high / 1.5,
  };
  for (const [field, pixels] of Object.entries(expected)) {
    // Widths are rarely exact multiples of the shape.
    expect(Math.abs(Number(part[field]) - pixels), field).toBeLessThanOrEqual(1);
  }
});
