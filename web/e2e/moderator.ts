/** Acts as a moderator who uses only the keyboard. */
import { expect, type Page } from '@playwright/test';
import { expectText } from './members';
import { oneTime } from './one-time';
import type { Site } from './site';

/** Makes the member at `desk` a moderator and passes the second factor for the session. */
export async function openDesk(desk: Page, name: string, site: Site): Promise<void> {
  await desk.goto('/moderate/');
  await expect(desk.getByRole('alert')).toHaveText('This page is for moderators.');
  const added = site.operate('moderate', 'staff', 'add', name, '--json');
  const { key } = JSON.parse(added) as { key: string };
  await desk.reload();
  await desk.getByLabel('Code').fill(oneTime(key));
  await desk.keyboard.press('Enter');
}

/** Steps through the queue to the upload with this title. */
export async function openReview(desk: Page, title: string) {
  const review = desk.getByRole('article');
  await expect(async () => {
    await desk.keyboard.press('j');
    await expect(review.getByRole('heading', { level: 2 })).toHaveText(title, { timeout: 1000 });
  }).toPass();
  return review;
}

/** Takes the upload under review down. */
export async function takeDown(desk: Page, title: string, warning: string): Promise<void> {
  await expect(desk.getByRole('article').getByRole('heading', { level: 2 })).toHaveText(title);
  await desk.keyboard.press('t');
  const sure = desk.getByRole('dialog', { name: 'Take down' });
  await expect(sure).toContainText(warning);
  await expect(sure.getByRole('button', { name: 'Take down' })).toBeFocused();
  await desk.keyboard.press('Enter');
  await expectText(desk, `Taken down: “${title}”`);
}
