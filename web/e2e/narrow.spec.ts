/** Members on small phones: nothing reaches beyond the window, and the row of pages shows where one is. */
import type { Locator } from '@playwright/test';
import { expect, test } from './fixtures';
import { enter } from './members';

/** Whether all of it is between the page's sides, which leave room for a scroll bar. */
const isInside = (what: Locator) =>
  what.evaluate((element) => {
    const page = document.body.getBoundingClientRect();
    const { left, right } = element.getBoundingClientRect();
    return left >= page.left && right <= page.right;
  });

for (const width of [320, 390]) {
  test.describe(`${String(width)} pixels wide`, () => {
    test.use({ viewport: { width, height: 800 } });

    test('menus of the header and the present page of the own area are all in the window', async ({
      page,
    }) => {
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
      await page.evaluate(() => {
        scrollTo(1000, 0);
      });
      expect(await page.evaluate(() => scrollX)).toBe(0);
    });
  });
}
