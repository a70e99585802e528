/** Tests a member's uploads on a site that no other test uses. */
import type { APIRequestContext, Page } from '@playwright/test';
import type { Schema } from '../../src/api/call';
import { UPLOAD_STATUS } from '../../src/api/status';
import { DEMO, enter, expectText } from '../members';
import { expect, test } from '../site';

/** Finds an upload in its owner's list. */
const upload = (page: Page, title: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: title, exact: true }) });

type OwnVideo = Schema<'OwnVideo'>;

/** Returns the member's uploads as the server sends them. */
async function uploads(request: APIRequestContext): Promise<OwnVideo[]> {
  const answer = await request.get('/api/member_lists.php?list=uploaded_videos&lang=en');
  return ((await answer.json()) as { videos: OwnVideo[] }).videos;
}

/** Logs the demo's member in, opens their uploads, and returns a public one. */
async function openUploads(page: Page): Promise<OwnVideo> {
  const id = await enter(page);
  const video = (await uploads(page.request)).find(
    (one) => one.status_id === UPLOAD_STATUS.published && !one.is_private,
  );
  if (!video) throw new Error('no public upload');
  await page.goto(`/members/${String(id)}/uploaded_videos/1/`);
  return video;
}

test.describe('a private video', () => {
  // The page itself gets a guest's response, and then the app requests more.
  test.use({ expected: [/status of 403/] });

  test('plays for its uploader and for members; guests are asked to log in', async ({
    page,
    newGuest,
    newMember,
  }) => {
    const { video_id, title } = await openUploads(page);
    await upload(page, title).getByRole('button', { name: 'Make private' }).click();
    await expectText(page, 'The video is private now');
    const plays = async (who: Page) => {
      await who.goto(`/videos/${String(video_id)}/`);
      await expect(who.getByRole('heading', { level: 1 })).toHaveText(title);
      await who.locator('.lantern-big-play').click();
      const position = () =>
        who.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
      await expect.poll(position).toBeGreaterThan(0.3);
      await expect(who.getByRole('main').getByText('Private', { exact: true })).toBeVisible();
    };
    await plays(page);
    await expect(page.getByRole('button', { name: /^Like: / })).toBeVisible();
    await expect(page.getByLabel('Your comment')).toBeVisible();

    const { page: other } = await newMember();
    await plays(other);
    // Owner actions are not offered to others.
    await expect(other.getByRole('button', { name: /^Like: / })).toHaveCount(0);
    await expect(other.getByRole('region', { name: 'Comments' })).toBeVisible();
    await expect(other.getByLabel('Your comment')).toHaveCount(0);

    const guest = await newGuest();
    await guest.goto(`/videos/${String(video_id)}/`);
    await expect(guest.getByRole('alert')).toHaveText('This video is private. Log in to watch it.');
    await expect(guest.locator('video')).toHaveCount(0);
  });
});

test('a rejected upload says so and can only be deleted', async ({ page, site }) => {
  // A ban sends all uploads back to review.
  site.operate('moderate', 'ban', DEMO.usr, '--reason', 'to be looked at again', '--uploads');
  site.operate('moderate', 'unban', DEMO.usr);
  const id = await enter(page);
  const waiting = (await uploads(page.request)).filter(
    (one) => one.status_id === UPLOAD_STATUS.inReview,
  );
  const [rejected, ...others] = waiting;
  if (!rejected) throw new Error('no upload in review');
  await page.goto(`/members/${String(id)}/uploaded_videos/1/`);
  await expect(upload(page, rejected.title)).toContainText('Waiting for review');
  site.operate('moderate', 'reject', 'video', String(rejected.video_id), '--reason', 'quality');
  for (const { video_id } of others) {
    site.operate('moderate', 'approve', 'video', String(video_id), '--nobody');
  }
  await page.reload();
  const row = upload(page, rejected.title);
  await expect(row).toContainText('Rejected');
  await expect(row).not.toContainText('Waiting for review');
  await expect(row.getByRole('button', { name: /Delete|Publish|Make/ })).toHaveText(['Delete']);
});

test.describe('a deleted upload', () => {
  test.use({ expected: [/status of 422/] });

  test('can be restored, and the dialogs say what will happen', async ({ page }) => {
    const { title } = await openUploads(page);
    const row = upload(page, title);
    const dialog = page.getByRole('dialog');
    await row.getByRole('button', { name: 'Publish again' }).click();
    await expect(dialog).toContainText(`“${title}” is removed now and will return as it was.`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await row.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog).toContainText(
      `“${title}” will disappear from the site. You can publish it again later.`,
    );
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expectText(page, 'The video is deleted. You can publish it again.');
    await expect(row).toContainText('Deleted');
    await expect(row.getByRole('button', { name: 'Delete' })).toHaveCount(0);

    await row.getByRole('button', { name: 'Publish again' }).click();
    await expect(dialog).toContainText(`“${title}” will return to the site as it was.`);
    const days = dialog.getByLabel('After how many days');
    await expect(days).toHaveValue('7');
    // The maximum is set by the operator.
    await days.fill('366');
    await dialog.getByRole('button', { name: 'Publish again' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Please enter a whole number of days, from 1 to 365.',
    );
    await days.fill('3');
    const answered = page.waitForResponse('**/api/video_edit.php');
    await dialog.getByRole('button', { name: 'Publish again' }).click();
    const { readd_at } = (await (await answered).json()) as Schema<'ManagedAnswer'>;
    await expectText(page, 'The video will be restored');
    await expect(row.locator('time').last()).toHaveAttribute('datetime', readd_at ?? 'none');
    await expect(row).toContainText('Back on');

    await row.getByRole('button', { name: 'Keep deleted' }).click();
    await expectText(page, 'The video stays deleted');
    await page.reload();
    await expect(row).toContainText('Deleted');
    await expect(row).not.toContainText('Back on');
    await expect(row.getByRole('button', { name: /Keep|Delete/ })).toHaveCount(0);
  });
});
