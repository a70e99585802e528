/** Tests votes from members and guests: they are counted once, remembered, and can be undone. */
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { expectText, watching } from './members';

// The comments below the video can also be liked.
const thumb = (page: Page, name: 'Like' | 'Dislike') =>
  page.getByRole('button', { name: new RegExp(`^${name}: `) }).first();
const count = async (page: Page, name: 'Like' | 'Dislike') =>
  Number((await thumb(page, name).textContent())?.replace(/\D/g, ''));

/** Votes, reloads, switches sides and takes the vote back. */
async function voteAndUndo(page: Page) {
  const [likes, dislikes] = [await count(page, 'Like'), await count(page, 'Dislike')];
  const like = thumb(page, 'Like');
  await like.click();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  expect(await count(page, 'Like')).toBe(likes + 1);
  // The percentage next to the thumbs is computed from these counts.
  const share = Math.round((100 * (likes + 1)) / (likes + 1 + dislikes));
  await expect(page.getByText(`${String(share)}% liked it`)).toBeVisible();
  await expectText(page, 'Thank you for your vote.');
  await page.reload();
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  const dislike = thumb(page, 'Dislike');
  const before = await count(page, 'Dislike');
  await dislike.click();
  await expect(dislike).toHaveAttribute('aria-pressed', 'true');
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  expect(await count(page, 'Dislike')).toBe(before + 1);
  await expectText(page, 'Thank you for your vote.');
  await dislike.click();
  await expect(dislike).toHaveAttribute('aria-pressed', 'false');
  await expectText(page, 'Vote withdrawn');
  await page.reload();
  await expect(dislike).toHaveAttribute('aria-pressed', 'false');
  await expect(like).toHaveAttribute('aria-pressed', 'false');
}

test('a member’s vote is remembered and undone', async ({ newMember }) => {
  const { page } = await newMember();
  await watching(page);
  await voteAndUndo(page);
});

test('so is a guest’s', async ({ page }) => {
  // This is another video, whose counts the member's test does not touch.
  await watching(page, '/videos/14/');
  await voteAndUndo(page);
});
