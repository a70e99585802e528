/** Votes of members. */
import { expect, test } from './fixtures';
import { said, watching } from './members';

test.describe('votes', () => {
  test.use({ expected: [/status of 409/] });

  test('count once', async ({ newMember }) => {
    const { page } = await newMember();
    await watching(page);
    const like = page.getByRole('button', { name: /^Like: / });
    const count = async () => Number((await like.textContent())?.replace(/\D/g, ''));
    const before = await count();
    await like.click();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    expect(await count()).toBe(before + 1);
    await said(page, 'Thank you for your vote.');
    await page.getByRole('button', { name: /^Dislike: / }).click();
    await said(page, 'You have voted already.');
    // What was shown at once is taken back.
    await expect(like).toHaveAttribute('aria-pressed', 'true');
    expect(await count()).toBe(before + 1);
    await page.reload();
    await expect(like).toHaveAttribute('aria-pressed', 'true');
  });
});
