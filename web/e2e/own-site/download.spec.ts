/** Tests downloading a video: members wait next to the player, guests on a separate page. */
import { enter, watching } from '../members';
import { expect, test } from '../site';

test('a member waits next to the player and downloads; a guest is sent to the download page', async ({
  page,
  newGuest,
}) => {
  await enter(page);
  await watching(page);
  await page.getByRole('button', { name: 'Download' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await expect(dialog.getByRole('timer')).toHaveText(/Ready in [12] s/);
  const save = dialog.getByRole('link', { name: 'Save the video' });
  await expect(save).toBeVisible();
  await expect(dialog.getByRole('status')).toHaveText('Your download is ready.');
  const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
  expect(download.suggestedFilename()).toMatch(/^[a-z0-9-]+\.mp4$/);
  await download.cancel();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Download' })).toBeFocused();

  const guest = await newGuest();
  await guest.setViewportSize({ width: 390, height: 844 });
  await guest.goto('/videos/12/');
  await guest.getByRole('button', { name: 'Download' }).click();
  await guest.getByRole('link', { name: 'Continue without an account' }).click();
  await expect(guest).toHaveURL(/\/download\/\?video_id=12$/);
  await expect(guest.getByRole('main').getByText(/^Ready in (60|5\d) s/)).toBeVisible();
  await expect(guest.getByRole('link', { name: 'Save the video' })).toHaveCount(0);
});
