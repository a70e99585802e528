import { cards, expect, listed, test } from './fixtures';
import { isPaused, length, openSettings, play, position } from './player';

test('a video plays, moves and seeks', async ({ page }) => {
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  const title = (await cards(page).first().textContent()) ?? '';
  await cards(page).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await play(page);
  await expect.poll(() => position(page)).toBeGreaterThan(0.5);
  // Segments are demuxed in a worker.
  expect(page.workers().map((worker) => worker.url())).toContainEqual(
    expect.stringMatching(/\/assets\/hls\.worker-[^/]+\.js$/),
  );

  const whole = await length(page);
  await page.keyboard.press('7');
  // Pause at once, because on a busy machine the video would end before the next check.
  await page.keyboard.press('k');
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(whole * 0.7 - 0.1);
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused))
    .toBe(true);
  await page.keyboard.press('0');
  await expect.poll(() => position(page)).toBeLessThan(0.5);
  await page.keyboard.press('l');
  await expect.poll(() => position(page)).toBeGreaterThan(Math.min(9, whole - 1));
  await page.keyboard.press('m');
  expect(await page.locator('video').evaluate((video: HTMLVideoElement) => video.muted)).toBe(true);
  await page.keyboard.press('Shift+>');
  expect(
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate),
  ).toBe(1.25);

  await page.keyboard.press('5');
  const range = page.locator('media-time-range');
  const box = await range.boundingBox();
  if (!box) throw new Error('no seek bar');
  await page.mouse.click(box.x + box.width * 0.25, box.y + box.height / 2);
  await expect
    .poll(async () => Math.abs((await position(page)) - whole / 4))
    .toBeLessThan(whole * 0.1);
});

test('speed and quality can be chosen', async ({ page }) => {
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  await cards(page).first().click();
  await play(page);
  await page.keyboard.press('k');
  await openSettings(page);
  const speed = page.getByRole('radio', { name: '1.5×' });
  // The menu changes with the player's event, which comes after the click.
  await speed.click();
  await expect(speed).toBeChecked();
  expect(
    await page.locator('video').evaluate((video: HTMLVideoElement) => video.playbackRate),
  ).toBe(1.5);
  const quality = page.getByRole('group', { name: 'Quality' }).getByRole('radio');
  await expect(quality.first()).toBeChecked();
  await quality.last().click();
  await expect(quality.last()).toBeChecked();
  const player = page.locator('.lantern-player');
  await player.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('group', { name: 'Quality' })).toHaveCount(0);

  // From here on, single-key shortcuts are off on every page, but the space bar still works.
  await page.locator('body').click({ position: { x: 2, y: 400 } });
  await page.keyboard.press('m');
  await page.keyboard.press('/');
  await page.keyboard.press(' ');
  await expect.poll(() => isPaused(page)).toBe(false);
  const film = player.locator('video');
  expect(await film.evaluate((video: HTMLVideoElement) => video.muted)).toBe(false);
  await expect(page.getByRole('combobox')).not.toBeFocused();
  await page.reload();
  const shortcuts = page.getByRole('contentinfo').getByRole('checkbox');
  await expect(shortcuts).not.toBeChecked();
  await shortcuts.check();
  await shortcuts.blur();
  await page.keyboard.press('/');
  await expect(page.getByRole('combobox')).toBeFocused();
});

test('a link starts at its timestamp and can be shared again', async ({ page }) => {
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  const href = await cards(page).first().getAttribute('href');
  await page.goto(`${href ?? ''}?start_time=5`);
  await play(page);
  await page.keyboard.press('k');
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(5);
  await expect.poll(() => isPaused(page)).toBe(true);
  const second = String(Math.floor(await position(page)));
  await page.getByRole('button', { name: 'Share' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  const link = dialog.getByRole('textbox', { name: 'Link' });
  await expect(link).toHaveValue(new RegExp(`^http.*${href ?? ''}$`));
  await dialog.getByRole('checkbox', { name: `Start at 0:${second.padStart(2, '0')}` }).check();
  await expect(link).toHaveValue(new RegExp(`\\?start_time=${second}$`));
  await expect(dialog.getByRole('link', { name: 'Telegram' })).toHaveAttribute(
    'href',
    new RegExp(`start_time%3D${second}&`),
  );
  await expect(dialog.getByRole('textbox', { name: 'Embed code' })).toHaveValue(
    /width="426" height="265"/,
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('related videos are paged', async ({ page }) => {
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  await cards(page).first().click();
  const related = page.getByRole('region', { name: 'Related videos' });
  const links = related.locator('h3 a');
  await expect(links.first()).toBeVisible();
  const first = await links.first().textContent();
  await related.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(links.first()).not.toHaveText(first ?? '');
});

test.describe('a player missing a resource', () => {
  test.use({ expected: [/net::ERR_FAILED|status of 404/] });

  for (const [where, gone] of [
    ['the site', { status: 404 }],
    // The site redirects players to its store, which has a separate address.
    ['its store', { status: 302, headers: { location: '/no/such/page/' } }],
  ] as const) {
    test(`falls back to the file at the same position when a segment is gone from ${where}`, async ({
      page,
    }) => {
      await page.goto('/videos/most-popular/1/');
      await listed(page);
      const href = (await cards(page).first().getAttribute('href')) ?? '';
      let lose: () => void = () => undefined;
      const lost = new Promise<void>((resolve) => {
        lose = resolve;
      });
      // Only the first four seconds load.
      await page.route(/-[1-9]\d*\.m4s/, async (route) => {
        await lost;
        await route.fulfill(gone);
      });
      await page.goto(href);
      await play(page);
      await expect.poll(() => position(page)).toBeGreaterThan(2);
      lose();
      const film = page.locator('video');
      await expect
        .poll(() => film.evaluate((video: HTMLVideoElement) => video.currentSrc))
        .toMatch(/\/video\.mp4$/);
      await expect.poll(() => position(page)).toBeGreaterThan(2);
      expect(await isPaused(page)).toBe(false);
    });
  }

  test('resumes where the connection was lost, and falls back to the file without segments', async ({
    page,
  }) => {
    await page.goto('/videos/most-popular/1/');
    await listed(page);
    const href = (await cards(page).first().getAttribute('href')) ?? '';
    await page.route('**/*.m4s', (route) => route.abort());
    await page.goto(href);
    await page.locator('.lantern-big-play').click();
    const problem = page.getByRole('main').getByRole('alert');
    await expect(problem).toContainText('Connection lost');
    await page.unroute('**/*.m4s');
    await problem.getByRole('button', { name: 'Try again' }).click();
    await expect(problem).toHaveCount(0);
    await expect.poll(() => position(page)).toBeGreaterThan(0);

    await page.addInitScript(() => {
      for (const name of ['MediaSource', 'ManagedMediaSource']) {
        Reflect.deleteProperty(window, name);
      }
      // The browser has no support for playlists either, as was common until recently.
      const canPlayType = Reflect.get(HTMLMediaElement.prototype, 'canPlayType');
      HTMLMediaElement.prototype.canPlayType = function (type) {
        return type.includes('mpegurl') ? '' : canPlayType.call(this, type);
      };
    });
    await page.goto(`${href}?start_time=5`);
    await play(page);
    await expect.poll(() => position(page)).toBeGreaterThanOrEqual(5);
    const source = () =>
      page.locator('video').evaluate((video: HTMLVideoElement) => video.currentSrc);
    expect(await source()).toMatch(/\/video\.mp4$/);
    await openSettings(page);
    await expect(page.getByRole('group', { name: 'Speed' })).toBeVisible();
    await expect(page.getByRole('group', { name: 'Quality' })).toHaveCount(0);
  });
});

test.describe('a card', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('previews on hover, unless reduced motion is preferred', async ({ page }) => {
    await page.goto('/videos/most-popular/1/');
    await listed(page);
    const card = page.locator('main article').first();
    const film = card.locator('video');
    const plays = () =>
      film.evaluate((video: HTMLVideoElement) => video.muted && video.currentTime > 0.2);
    await card.locator('img').first().hover();
    await expect.poll(plays).toBe(true);
    await page.mouse.move(0, 0);
    await expect(film).toHaveCount(0);
    await card.locator('h3 a').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(card.locator('h3 a')).toBeFocused();
    await expect.poll(plays).toBe(true);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await expect(film).toHaveCount(0);
  });
});
