/** Tests small windows: nothing overflows, and the whole site is reachable. */
import type { Locator } from '@playwright/test';
import { LANGS } from '../src/lib/audience';
import { expect, test } from './fixtures';
import { enter } from './members';

/** Whether the element fits between the page's sides and leaves room for a scroll bar. */
const isInside = (what: Locator) =>
  what.evaluate((element) => {
    const page = document.body.getBoundingClientRect();
    const { left, right } = element.getBoundingClientRect();
    return left >= page.left && right <= page.right;
  });

for (const width of [320, 390]) {
  test.describe(`${String(width)} pixels wide`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('header menus and the current tab of the own area fit in the window', async ({ page }) => {
      const id = await enter(page);
      for (const tab of ['playlists/1/', 'friends/1/', 'info/']) {
        await page.goto(`/members/${String(id)}/${tab}`);
        const row = page.getByRole('navigation', { name: 'demo' });
        await expect(row.getByRole('link', { name: /^Messages/ })).toBeAttached();
        await expect.poll(() => isInside(row.locator('[aria-current]')), tab).toBe(true);
      }
      const header = page.getByRole('banner');
      for (const [button, entry] of [
        [/^Language/, 'Deutsch'],
        [/^Account of demo/, 'Settings'],
      ] as const) {
        await header.getByRole('button', { name: button }).click();
        const inside = header.getByText(entry, { exact: true }).locator('xpath=ancestor::ul/..');
        await expect(inside).toBeVisible();
        expect(await isInside(inside), entry).toBe(true);
        await page.keyboard.press('Escape');
      }
      await page.evaluate(() => scrollTo(1000, 0));
      expect(await page.evaluate(() => scrollX)).toBe(0);
    });
  });
}

test.describe('a narrow phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });

  test('fits every list’s sort menu in the window, without overflow', async ({ page }) => {
    for (const path of [
      '/videos/latest-updates/1/',
      '/albums/latest-updates/1/',
      '/models/most-popular/1/',
      '/playlists/most-popular/1/',
      '/community/recent/1/',
    ]) {
      await page.goto(path);
      const order = page.getByRole('button', { name: /^Sort by/ });
      await expect(order, path).toBeVisible();
      await expect(page.locator('main article').first()).toBeVisible();
      expect(await isInside(order), path).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(320);
    }
  });
});

/** Widths at which the header's layout changes. */
const BREAKPOINTS = [1024, 1280, 1440];

for (const width of BREAKPOINTS) {
  test.describe(`a header ${String(width)} pixels wide`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('leads to every kind of list', async ({ page }) => {
      const nav = page.getByRole('banner').getByRole('navigation', { name: 'Main navigation' });
      await page.goto('/videos/longest/1/');
      for (const [name, address] of [
        ['Categories', /\/categories\/$/],
        ['Models', /\/models\/most-popular\/1\/$/],
        ['Albums', /\/albums\/latest-updates\/1\/$/],
        ['Playlists', /\/playlists\/most-popular\/1\/$/],
        ['Community', /\/community\/recent\/1\/$/],
        ['Top by country', /\/top-country\/1\/$/],
      ] as const) {
        const link = nav.getByRole('link', { name, exact: true });
        // The button is in the header itself, in the menu of that name, or in the overflow menu.
        const own = nav.getByRole('button', { name, exact: true });
        const menu = nav.getByRole('button', { name: width < 1440 ? 'Browse' : 'Community' });
        await expect(menu).toBeVisible();
        if (await own.isVisible()) await own.click();
        else if (!(await link.isVisible())) await menu.click();
        const inMenu = name === 'Models' ? nav.getByRole('link', { name: 'Most popular' }) : link;
        await link.or(inMenu).click();
        await expect(page, name).toHaveURL(address);
        // Wait until the menu is closed before looking for the next one.
        await expect(nav.locator('[aria-expanded="true"]')).toHaveCount(0);
      }
    });
  });
}

/** Asserts that the header's parts don't overlap and the search placeholder isn't cut off. */
async function hasRoom(header: Locator, width: number, where: string) {
  // The parts are measured together, and they may move until the page has its new width.
  await expect(async () => {
    const { places, room } = await header.evaluate((node) => {
      const box = node.querySelector<HTMLInputElement>('[role=combobox]');
      const corner = node.querySelector('form')?.parentElement?.nextElementSibling;
      if (!box || !corner) throw new Error('no header');
      const parts = [...node.querySelectorAll('nav'), box, ...corner.children];
      const { font, paddingLeft, paddingRight } = getComputedStyle(box);
      const pen = document.createElement('canvas').getContext('2d');
      if (!pen) throw new Error('no canvas');
      pen.font = font;
      const words = pen.measureText(box.placeholder).width;
      return {
        places: parts.map((part) => {
          const { left, right } = part.getBoundingClientRect();
          return { left, right };
        }),
        room: box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - words,
      };
    });
    places.forEach(({ right }, index) =>
      expect(right, where).toBeLessThanOrEqual(places[index + 1]?.left ?? width),
    );
    // The narrowest desktop windows leave room for typing, if not for the whole placeholder.
    expect(room, where).toBeGreaterThanOrEqual(width < 1280 ? -80 : 0);
  }).toPass({ timeout: 30_000 });
}

test('a member’s header and the video actions fit in every language', async ({
  page,
  context,
  baseURL,
}) => {
  await enter(page);
  const header = page.getByRole('banner');
  const row = page.locator('main button[aria-haspopup="dialog"]').first().locator('..');
  for (const lang of LANGS) {
    // Keep the session, because the previous page may still be reporting its view as the member.
    await context.addCookies([{ name: 'app_lang', value: lang, url: baseURL ?? '' }]);
    await page.goto('/videos/12/');
    await expect(page.locator('html')).toHaveAttribute('lang', lang);
    await expect(header.getByText('demo')).toBeAttached();
    await expect(row.getByRole('button')).toHaveCount(8);
    for (const width of [...BREAKPOINTS, 320, 768, 1279, 1439]) {
      const where = `${lang}, ${String(width)} pixels`;
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
      // A single query is enough: checking each button separately takes several times as long.
      const areInside = () =>
        row.evaluate((element) => {
          const page = document.body.getBoundingClientRect();
          return [...element.querySelectorAll('button')].every((button) => {
            const { left, right } = button.getBoundingClientRect();
            return left >= page.left && right <= page.right;
          });
        });
      await expect.poll(areInside, { message: where }).toBe(true);
      if (width >= 1024) await hasRoom(header, width, where);
    }
  }
});
