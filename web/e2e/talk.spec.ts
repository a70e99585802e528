/** Tests replies, likes and the notifications about them. */
import { expect, expectAccessibleInBoth, openCard, test } from './fixtures';
import { expectText } from './members';

test('replies and likes notify, and a deleted comment keeps its place', async ({ newMember }) => {
  test.slow();
  const one = await newMember();
  const other = await newMember();
  await openCard(one.page, 4);
  const comments = one.page.getByRole('region', { name: 'Comments' });
  const text = `What an evening, says ${one.name}`;
  const answer = `So it is, says ${other.name}`;
  await one.page.getByLabel('Your comment').fill(text);
  await one.page.getByRole('button', { name: 'Send' }).click();
  await expectText(one.page, 'Comment published');

  await other.page.goto(new URL(one.page.url()).pathname);
  const thread = other.page.getByRole('listitem').filter({ hasText: text });
  await thread.getByRole('button', { name: /^Like: 0/ }).click();
  await expect(thread.getByRole('button', { name: 'Like: 1', pressed: true })).toBeVisible();
  await thread.getByRole('button', { name: 'Reply' }).click();
  const box = thread.getByLabel(`Your reply to ${one.name}`);
  await expect(box).toBeFocused();
  await box.fill(answer);
  await thread.getByRole('button', { name: 'Send' }).click();
  await expect(thread.getByText(answer)).toBeVisible();
  await expectAccessibleInBoth(other.page);
  await other.page.getByRole('button', { name: 'Most liked' }).click();
  await expect(other.page.getByRole('button', { name: 'Most liked', pressed: true })).toBeVisible();

  await one.page.reload();
  await one.page.getByRole('button', { name: 'Notifications, new: 1' }).click();
  const told = one.page.getByRole('link', { name: new RegExp(`${other.name} replied to you`) });
  await expect(told).toBeVisible();
  await expectAccessibleInBoth(one.page);
  await told.click();
  await expect(one.page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  const own = comments.getByRole('listitem').filter({ hasText: text });
  await own.getByRole('button', { name: 'Delete' }).first().click();
  await own.getByRole('group').getByRole('button', { name: 'Delete' }).click();
  const left = comments.getByRole('listitem').filter({ hasText: answer }).first();
  await expect(left.getByText('This comment was deleted')).toBeVisible();

  await one.page.goto(`/members/${String(one.id)}/notifications/1/`);
  await one.page.getByRole('button', { name: /^Remove: / }).click();
  await expect(one.page.getByText('Nothing new yet')).toBeVisible();
  await one.page.getByRole('button', { name: 'Undo' }).click();
  await expect(one.page.getByRole('link', { name: /replied to you/ })).toBeVisible();
});

test.describe('notification settings', () => {
  // This is caused by an invalid link.
  test.use({ expected: [/status of 422/] });

  test('are chosen by the member, and unsubscribing from the summary takes a button', async ({
    newMember,
  }) => {
    const { page, id } = await newMember();
    await page.goto(`/members/${String(id)}/info/`);
    await page.getByRole('checkbox', { name: 'Messages' }).uncheck();
    await page.getByLabel('Summary by email').selectOption('Once a week');
    const settings = page.getByRole('region', { name: 'Notify me about' });
    await settings.getByRole('button', { name: 'Save' }).click();
    await expectText(page, 'Saved');
    await page.reload();
    await expect(page.getByRole('checkbox', { name: 'Messages' })).not.toBeChecked();
    await expect(page.getByLabel('Summary by email')).toHaveValue('weekly');

    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('unsubscribe.php')) sent.push(request.method());
    });
    await page.goto('/unsubscribe/?token=nobodys');
    const stop = page.getByRole('button', { name: 'Stop the summaries' });
    await expect(stop).toBeVisible();
    await expectAccessibleInBoth(page);
    expect(sent).toEqual([]);
    await stop.click();
    await expect(page.getByText('This link is no longer valid')).toBeVisible();
    expect(sent).toEqual(['POST']);
  });
});
