/** Tests members' comments on videos and walls. */
import { cards, expect, expectAccessible, listed, openCard, test } from './fixtures';

test.describe('comments', () => {
  test.use({ expected: [/status of 429/] });

  test('the sixth comment in a row is refused with the time to wait', async ({ newMember }) => {
    const { page } = await newMember();
    await openCard(page, 3);
    const box = page.getByLabel('Your comment');
    const send = page.getByRole('button', { name: 'Send' });
    const region = page.getByRole('region', { name: 'Comments' });
    await send.click();
    await expect(region.getByText('Please fill in this field')).toBeVisible();
    await box.fill('four');
    await send.click();
    await expect(
      region.getByText('Your comment is too short: at least 5 characters.'),
    ).toBeVisible();
    // The list is delayed, so that each comment is sent while the previous request is pending.
    const lists = '**/api/json/comments/**';
    await page.route(lists, async (route) => {
      await new Promise((done) => setTimeout(done, 1500));
      await route.fallback();
    });
    for (const number of [1, 2, 3, 4, 5]) {
      await box.fill(`Evening light, number ${String(number)}`);
      await send.click();
      await expect(box).toHaveValue('');
      await expect(region.getByText(`Evening light, number ${String(number)}`)).toBeVisible();
    }
    await box.fill('Evening light, number 6');
    await send.click();
    await expect(region.getByText(/limit for comments \(5 in 10 minutes\)/)).toBeVisible();
    await expect(region.getByRole('timer')).toHaveText(/You can comment again in (9|10):\d\d/);
    await expect(send).toBeDisabled();
    await expect(box).toHaveValue('Evening light, number 6');
    await page.unroute(lists);
    const last = region.getByRole('listitem').filter({ hasText: 'number 5' });
    await last.getByRole('button', { name: 'Delete' }).click();
    await last.getByRole('group').getByRole('button', { name: 'Delete' }).click();
    await expect(last).toHaveCount(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(last).toHaveCount(1);
    await page.reload();
    await last.getByRole('button', { name: 'Delete' }).click();
    await last.getByRole('group').getByRole('button', { name: 'Delete' }).click();
    await expect(last).toHaveCount(0);
    await page.reload();
    await expect(region.getByText('Evening light, number 4')).toBeVisible();
    await expect(region.getByText('Evening light, number 5')).toHaveCount(0);
  });
});

test('a member who acts before the session response arrives is not asked to log in', async ({
  newMember,
}) => {
  const { page, id } = await newMember();
  /** Delays the response until `act` is done. */
  const beforeAnswer = async (act: () => Promise<void>) => {
    let answer = (): void => undefined;
    const isDone = new Promise<void>((done) => (answer = done));
    await page.route('**/api/me.php', async (route) => {
      await isDone;
      await route.fallback();
    });
    await act();
    answer();
  };
  await beforeAnswer(async () => {
    await page.goto('/videos/12/');
    await page.getByRole('button', { name: 'Reply' }).first().click();
  });
  await expect(page.getByLabel(/^Your reply to /)).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await beforeAnswer(async () => {
    await page.goto('/categories/');
    await page.getByRole('button', { name: 'You', exact: true }).click();
  });
  await expect(page).toHaveURL(new RegExp(`/members/${String(id)}/$`));
});

test('the wall of a model', async ({ page }) => {
  await page.goto('/models/most-popular/1/');
  await listed(page);
  await cards(page).first().click();
  await page.getByRole('link', { name: 'Wall' }).click();
  await expect(page).toHaveURL(/\/model\/[^/]+\/wall\/$/);
  await expect(page.getByRole('region', { name: 'Comments' })).toBeVisible();
  await expectAccessible(page);
});
