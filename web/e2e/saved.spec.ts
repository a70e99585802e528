/** Tests saved searches and their new results. Guests' searches are kept in the browser, members' on the server. */
import type { Page } from '@playwright/test';
import { expect, expectAccessibleInBoth, listed, test } from './fixtures';
import { expectText, sent } from './members';

const save = (page: Page) => page.getByRole('button', { name: 'Save search' });
const rows = (page: Page) => page.locator('main li h2');

/** Opens the screen and follows the new results to the list, where the cards are marked as new. */
async function followNews(page: Page) {
  await page.goto('/saved-searches/');
  await page.getByRole('link', { name: /^[\d,]+ new since your last visit$/ }).click();
  await expect(page).toHaveURL(/\/search\/1\/\?s=light&sort=latest-updates$/);
  await listed(page);
  const mark = (word: string) =>
    expect(page.locator('main article').getByText(word, { exact: true }).first()).toBeVisible();
  await mark('New');
  await expect(save(page)).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('button', { name: 'Deutsch', exact: true }).click();
  await mark('Neu');
  await page.getByRole('button', { name: /^Sprache/ }).click();
  await page.getByRole('button', { name: 'English', exact: true }).click();
  await mark('New');
  await page.goto('/saved-searches/');
  await expectText(page, 'Nothing new since your last visit');
}

async function renameAndRemove(page: Page, from: string) {
  await page.getByRole('button', { name: `Rename “${from}”` }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('By night');
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveText(['By night']);
  await page.getByRole('button', { name: 'Remove “By night”' }).click();
  await expectText(page, 'No saved searches yet');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page)).toHaveText(['By night']);
}

test('a guest saves a search, sees what is new, and undoes a removal', async ({ page }) => {
  await page.goto('/search/1/?s=light');
  await listed(page);
  await save(page).click();
  await expectText(page, 'Search saved');
  await expect(save(page)).toHaveAttribute('aria-pressed', 'true');
  // Pretend that the last visit was long ago.
  await page.evaluate(() => {
    const list = JSON.parse(localStorage.getItem('lantern.saved') ?? '[]') as object[];
    const old = list.map((saved) => ({ ...saved, seen_at: '2001-01-01T00:00:00Z' }));
    localStorage.setItem('lantern.saved', JSON.stringify(old));
  });
  await followNews(page);
  await expectAccessibleInBoth(page);
  await renameAndRemove(page, 'light');
  await page.reload();
  await expect(rows(page)).toHaveText(['By night']);
});

test('a member has saved searches everywhere, each with a feed', async ({ newMember }) => {
  const { page } = await newMember();
  const list = { title: 'light', address: '/search/3/?s=light', seen_at: 1 };
  await sent(page, '/api/stat.php', { act: 'saved_search', section: 'add', ...list });
  await followNews(page);
  const feed = page.getByRole('link', { name: 'RSS feed of “light”' });
  const answer = await page.request.get((await feed.getAttribute('href')) ?? '');
  expect(answer.headers()['content-type']).toContain('application/rss+xml');
  const back = page.waitForResponse(
    (response) => response.request().postData()?.includes('section=add') === true,
  );
  await renameAndRemove(page, 'light');
  // The change is shown before the server has stored it.
  expect((await back).ok()).toBe(true);
  await page.getByRole('link', { name: 'By night', exact: true }).click();
  await listed(page);
  await save(page).click();
  await expectText(page, 'Search removed');
  await expect(save(page)).toHaveAttribute('aria-pressed', 'false');
});
