/** Tests what is personal to a viewer without a profile: resuming videos, and what is left out of lists. */
import type { Page } from '@playwright/test';
import { cards, expect, expectAccessible, listed, test } from './fixtures';
import { expectText } from './members';

/** Number of cards on a full page. */
const FULL = 60;
const LATEST = '/videos/latest-updates/1/';

/** Mutes the first name in a card's menu and returns that name. */
async function muteFirst(page: Page): Promise<string> {
  const card = page.locator('main article').first();
  await card.hover();
  await card.getByRole('button', { name: /^Actions for/ }).click();
  const item = page.getByRole('menuitem', { name: /^Don’t show/ }).first();
  const name = /“(.*)”/.exec((await item.textContent()) ?? '')?.[1] ?? '';
  await item.click();
  await expectText(page, `“${name}” is hidden from your lists`);
  return name;
}

const named = (page: Page, name: string) =>
  page.locator('main article').filter({ has: page.getByRole('link', { name, exact: true }) });

test('a guest mutes from a card, undoes it, and finds it on the muted screen', async ({ page }) => {
  await page.goto(LATEST);
  await listed(page);
  const name = await muteFirst(page);
  await expect(named(page, name)).toHaveCount(0);
  await expect(cards(page)).toHaveCount(FULL);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(named(page, name)).not.toHaveCount(0);

  await muteFirst(page);
  await expect(named(page, name)).toHaveCount(0);
  // A newly loaded page does not show it either.
  await page.goto(LATEST);
  await listed(page);
  await expect(cards(page)).toHaveCount(FULL);
  await expect(named(page, name)).toHaveCount(0);

  await page.goto('/muted/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hidden from my lists');
  await expectAccessible(page);
  await page.getByRole('button', { name: `Show again: “${name}”` }).click();
  await expectText(page, 'Nothing hidden yet');
  await page.goto(LATEST);
  await expect(named(page, name)).not.toHaveCount(0);
});

test('a muted model is in no list of models', async ({ page }) => {
  const list = '/models/most-popular/1/';
  await page.goto(list);
  await listed(page);
  const all = await page.getByRole('status').textContent();
  const name = (await cards(page).first().textContent()) ?? '';
  await cards(page).first().click();
  await page.getByRole('button', { name: 'Hide videos' }).click();
  await expectText(page, `“${name}” is hidden from your lists`);
  await page.goto(list);
  await listed(page);
  await expect(page.getByRole('status')).not.toHaveText(all ?? '');
  await expect(page.locator('main').getByRole('link', { name, exact: true })).toHaveCount(0);
});

test('a member hides watched videos on every device, and pages stay full', async ({
  newMember,
  newGuest,
}) => {
  const { page } = await newMember();
  await page.goto(LATEST);
  await listed(page);
  const title = (await cards(page).first().textContent()) ?? '';
  const kept = page.waitForResponse(
    (response) => response.request().postData()?.includes('act=history') === true,
  );
  await cards(page).first().click();
  await kept;
  await page.goto(LATEST);
  await listed(page);
  await expect(cards(page).first()).toHaveText(title);
  await page.getByRole('checkbox', { name: 'Hide watched videos' }).click();
  await expect(cards(page).first()).not.toHaveText(title);
  await expect(cards(page)).toHaveCount(FULL);
  // Other people's lists still contain it.
  const other = await newGuest();
  await other.goto(LATEST);
  await listed(other);
  await expect(cards(other).first()).toHaveText(title);
});

test('recent searches are removed one by one and all at once', async ({ page }) => {
  await page.addInitScript(() =>
    localStorage.setItem('lantern.searches', JSON.stringify(['night market', 'rooftop', 'rain'])),
  );
  await page.goto('/');
  await expect(cards(page).first()).toBeVisible();
  const box = page.getByRole('combobox', { name: 'Search' });
  const recent = page.getByRole('group', { name: 'Recent searches' }).getByRole('option');
  await box.click();
  await expect(recent).toHaveText(['night market', 'rooftop', 'rain']);
  await page.getByRole('button', { name: 'Remove “rooftop” from recent searches' }).click();
  await expect(recent).toHaveText(['night market', 'rain']);
  await expect(box).toBeFocused();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Clear recent searches' }).click();
  await expect(recent).toHaveCount(0);
});
