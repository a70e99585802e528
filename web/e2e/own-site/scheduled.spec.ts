/** Follows a scheduled video from its owner's form over the moderator's desk to the moment of its publication. */
import type { Answer, Schema } from '../../src/api/call';
import { UPLOAD_STATUS } from '../../src/api/status';
import { expect } from '../fixtures';
import { DEMO, enter, expectText, sent } from '../members';
import { openDesk, openReview } from '../moderator';
import { test } from '../site';

/** The promised delay, and what a busy machine needs in addition. */
const PROMPTLY = { timeout: 30_000 };

// The video's page and an invalid time are provoked.
test.use({ expected: [/status of 4(04|03|22)/], timezoneId: 'Europe/Berlin' });

test('an approved video waits for its time and then appears', async ({
  page,
  newGuest,
  newMember,
  site,
}) => {
  // A ban sends all uploads back to review, also these, which no person has approved so far.
  site.operate('moderate', 'ban', DEMO.usr, '--reason', 'to be looked at again', '--uploads');
  site.operate('moderate', 'unban', DEMO.usr);
  const owner = await enter(page);
  const own = async () => {
    const answer = await page.request.get('/api/member_lists.php?list=uploaded_videos&lang=en');
    return ((await answer.json()) as { videos: Schema<'OwnVideo'>[] }).videos;
  };
  const waiting = (await own()).filter((one) => one.status_id === UPLOAD_STATUS.inReview);
  // The form accepts no more categories.
  const video = waiting.find(({ categories }) => categories.length <= 3);
  if (!video) throw new Error('no upload in review');
  const { title } = video;
  const id = String(video.video_id);
  const edited = await page.request.get(`/api/video_edit.php?video_id=${id}`);
  const { gender } = (await edited.json()) as Answer<'/api/video_edit.php'>;

  await page.goto(`/edit/?video_id=${id}`);
  const at = page.getByLabel('Date and time of publication (optional)');
  await expect(page.getByText('Time zone: Central European')).toContainText('(Europe/Berlin)');
  // A time that is only partly entered would publish the video at once.
  await at.press('3');
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByText('This value isn’t valid.')).toBeVisible();
  const year = new Date().getFullYear() + 5;
  await at.fill(`${String(year)}-07-01T18:30`);
  await expect(page.getByText('Time zone:')).toContainText('Central European Summer Time');
  await page.getByRole('button', { name: 'Save details' }).click();
  await expect(page.getByText('Choose a time within the next 365 days.')).toBeVisible();
  const soon = new Date(Date.now() + 86_400_000);
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(soon);
  await at.fill(`${day}T18:30`);
  await page.getByRole('button', { name: 'Save details' }).click();
  await expectText(page, 'Details saved');

  const { page: desk, name } = await newMember();
  await openDesk(desk, name, site);
  const review = await openReview(desk, title);
  await expect(review.getByText(/^Scheduled for .* 6:30\sPM (CET|CEST|GMT\+[12])$/)).toBeVisible();
  for (const { video_id } of waiting) {
    site.operate('moderate', 'approve', 'video', String(video_id), '--nobody');
  }

  const row = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: title, exact: true }) });
  await page.goto(`/members/${String(owner)}/uploaded_videos/1/`);
  await expect(row).toContainText(/Scheduled for .* 6:30\sPM/);
  await expect(row).not.toContainText('Waiting for review');
  const guest = await newGuest();
  const shows = async () => {
    const listed = await guest.request.get(
      `/api/json/videos2/3600/${gender}/latest-updates/60/all..1.all.all.all.json`,
    );
    const { videos } = (await listed.json()) as { videos: { video_id: number }[] };
    const status = (await guest.request.get(`/videos/${id}/`)).status();
    return [videos.some(({ video_id }) => video_id === video.video_id), status];
  };
  expect(await shows()).toEqual([false, 404]);

  const moment = new Date(Date.now() + 8000);
  await sent(page, '/api/video_edit.php', { video_id: id, publish_at: moment.toISOString() });
  expect(await shows()).toEqual([false, 404]);
  await expect.poll(shows, { ...PROMPTLY, intervals: [100] }).toEqual([true, 200]);
  expect(Date.now()).toBeGreaterThanOrEqual(moment.getTime());
  await page.reload();
  await expect(row).not.toContainText('Scheduled for');
});
