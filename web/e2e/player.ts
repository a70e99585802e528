/** Provides actions and queries for tests of the player. */
import { expect, type Page } from '@playwright/test';

const film = (page: Page) => page.locator('.lantern-player video');

export const position = (page: Page) =>
  film(page).evaluate((video: HTMLVideoElement) => video.currentTime);
export const length = (page: Page) =>
  film(page).evaluate((video: HTMLVideoElement) => video.duration || 0);
export const isPaused = (page: Page) =>
  film(page).evaluate((video: HTMLVideoElement) => video.paused);

/** Presses the button in the middle and waits for the video. */
export async function play(page: Page): Promise<void> {
  await page.locator('.lantern-big-play').click();
  await expect.poll(() => length(page)).toBeGreaterThan(0);
}

/** Acts on the controls, which hide after two seconds: it moves the mouse to show them, again if needed. */
export async function withControls(page: Page, act: () => Promise<void>): Promise<void> {
  const stage = page.locator('.lantern-player');
  await expect(async () => {
    await stage.hover({ position: { x: 60, y: 60 } });
    await stage.hover();
    await act();
  }).toPass();
}

/** Opens the player's settings menu. */
export const openSettings = (page: Page) =>
  withControls(page, () =>
    page.getByRole('button', { name: 'Speed and quality' }).click({ timeout: 2_000 }),
  );

/** Collects the addresses of video data loaded from now on. */
export function loaded(page: Page): string[] {
  const files: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/media/s/')) files.push(request.url());
  });
  return files;
}

/** Returns the player's position and size on the page. */
export async function stageOf(page: Page) {
  const box = await page.locator('.lantern-player').boundingBox();
  if (!box) throw new Error('no player');
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}
