/** Steps in the life of a film that follow one another in a test: it is given chapters and a time, found, replaced, and given another poster. */
import type { Page } from '@playwright/test';
import { film, SPOKEN } from './films';
import { expect } from './fixtures';
import { expectText } from './members';
import { openReview } from './moderator';
import { position } from './player';

/** How far ahead the form's time is: its minutes have no seconds, and the review comes before it. */
const AHEAD_MS = 120_000;
/** How long processing and publication may take on a busy machine. */
const SLOWLY = { timeout: 400_000 };

/** Enters chapters and a time of publication. Returns that time in milliseconds. */
export async function describes(editor: Page): Promise<number> {
  await editor.getByLabel('Chapters (optional)').fill('0:00 Dusk\n2:00 Boats\n4:00 Lights');
  const at = Math.ceil((Date.now() + AHEAD_MS) / 60_000) * 60_000;
  const local = await editor.evaluate((time) => {
    const date = new Date(time);
    return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }, at);
  await editor.getByLabel('Date and time of publication (optional)').fill(local);
  await editor.getByRole('button', { name: 'Save details' }).click();
  await expectText(editor, 'Details saved');
  return at;
}

/** Finds a video by what is said in it. Its film opens at that second, with its chapters. */
export async function findsSpoken(page: Page, id: string): Promise<void> {
  const block = page.getByRole('region', { name: 'Spoken in videos' });
  const line = block.locator(`a[href*="/videos/${id}/"]`);
  let visits = 0;
  await expect(async () => {
    // Few searches are allowed per address.
    visits += 1;
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': `192.0.2.${String(visits)}` });
    await page.goto(`/search/1/?s=${encodeURIComponent(`"${SPOKEN}"`)}`);
    await expect(line).toHaveAttribute('href', /\?start_time=1$/, { timeout: 3000 });
  }).toPass();
  await line.click();
  await expect(page).toHaveURL(new RegExp(`/videos/${id}/`));
  const chapters = page.getByRole('region', { name: 'Chapters' });
  await expect(chapters.getByRole('listitem')).toHaveText([/Dusk/, /Boats/, /Lights/]);
  await page.locator('.lantern-big-play').click();
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(1);
}

/** Replaces the film with a longer one, which a moderator approves. Everybody then sees that one at the same address. */
export async function replaces(
  { editor, desk, guest }: Record<'editor' | 'desk' | 'guest', Page>,
  { id, title }: Record<'id' | 'title', string>,
): Promise<void> {
  await editor.goto(`/edit/?video_id=${id}`);
  const part = editor.getByRole('region', { name: 'Replace with a new version' });
  const buffer = film(370);
  await part
    .locator('input[type=file]')
    .setInputFiles({ name: 'longer.mp4', mimeType: 'video/mp4', buffer });
  await expect(part.getByText('Waiting for review').first()).toBeVisible(SLOWLY);
  await guest.goto(`/videos/${id}/`);
  await guest.locator('.lantern-big-play').click();
  await expect(guest.locator('media-time-display')).toContainText('6:05');
  await desk.goto('/moderate/');
  const review = await openReview(desk, title);
  await expect(review.getByRole('heading', { name: `New version of video ${id}` })).toBeVisible();
  await review.getByLabel('Nobody is shown in this video').check();
  await desk.keyboard.press('a');
  await expectText(desk, `Approved: “${title}”`);
  await expect(async () => {
    await guest.goto(`/videos/${id}/`);
    await guest.locator('.lantern-big-play').click();
    await expect(guest.locator('media-time-display')).toContainText('6:10', { timeout: 5000 });
  }).toPass(SLOWLY);
}

/** Gives a published video another poster. Everybody then sees that one. */
export async function changesPoster(editor: Page, guest: Page, id: string): Promise<void> {
  const poster = async () => {
    const page = await (await guest.request.get(`/videos/${id}/`)).text();
    return /property="og:image" content="([^"]+)"/.exec(page)?.[1];
  };
  const former = await poster();
  expect(former).toBeDefined();
  await editor.goto(`/edit/?video_id=${id}`);
  const shots = editor.getByRole('form', { name: /^Choose a picture/ });
  await shots.getByRole('radio').nth(2).check();
  await shots.getByRole('button', { name: 'Use this picture' }).click();
  await expect
    .poll(async () => {
      const now = await poster();
      return now !== undefined && now !== former && (await guest.request.get(now)).ok();
    })
    .toBe(true);
}
