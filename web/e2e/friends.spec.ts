/** Tests friends, messages and blocking. */
import { expect, expectAccessible, test } from './fixtures';
import { expectText } from './members';

test('two members become friends and message each other', async ({ newMember }) => {
  test.slow();
  const one = await newMember();
  const other = await newMember();
  await one.page.goto(`/members/${String(other.id)}/`);
  await one.page.getByRole('button', { name: 'Add friend' }).click();
  await expectText(one.page, 'Friend request sent');
  await expect(one.page.getByRole('button', { name: 'Cancel request' })).toBeVisible();

  await other.page.goto(`/members/${String(other.id)}/friends/1/`);
  await expect(other.page.getByRole('link', { name: 'Friends (1)' })).toBeVisible();
  await other.page
    .getByRole('region', { name: 'Friend requests' })
    .getByRole('button', { name: 'Accept' })
    .click();
  await expectText(other.page, 'You are friends now');
  await expect(other.page.getByRole('link', { name: 'Friends', exact: true })).toBeVisible();

  await one.page.reload();
  // A label that names the action must not have a pressed state as well.
  await expect(one.page.getByRole('button', { name: 'Remove friend' })).toBeVisible();
  await expect(one.page.getByRole('button', { name: 'Remove friend', pressed: true })).toHaveCount(
    0,
  );
  await one.page.getByRole('button', { name: 'Message', exact: true }).click();
  await expect(one.page).toHaveURL(new RegExp(`/members/${String(one.id)}/messages/\\?with=`));
  const box = one.page.getByRole('textbox', { name: 'Your message' });
  await box.fill('See you at the harbour');
  await box.press('Enter');
  await expect(one.page.getByRole('log').getByText('See you at the harbour')).toBeVisible();
  await expect(box).toHaveValue('');

  await other.page.goto(`/members/${String(other.id)}/messages/`);
  await expect(other.page.getByRole('link', { name: 'Messages (1)' })).toBeVisible();
  await other.page.getByRole('link', { name: new RegExp(one.name) }).click();
  await expect(other.page.getByRole('log').getByText('See you at the harbour')).toBeVisible();
  await expect(other.page.getByRole('link', { name: 'Messages', exact: true })).toBeVisible();
  await other.page.getByRole('textbox', { name: 'Your message' }).fill('At eight then');
  await other.page.getByRole('button', { name: 'Send' }).click();
  await expect(other.page.getByRole('log').getByText('At eight then')).toBeVisible();
  await expectAccessible(other.page);

  await one.page.reload();
  const log = one.page.getByRole('log');
  await expect(log.getByText('At eight then')).toBeVisible();
  await one.page.getByRole('button', { name: 'Delete conversation' }).click();
  await one.page.getByRole('button', { name: 'Delete conversation' }).click();
  await expectText(one.page, 'No messages yet');
});

const BLOCKED = 'You can’t contact this member.';

test.describe('a blocked member', () => {
  test.use({ expected: [/status of 403/] });

  test('can neither message nor comment until unblocked', async ({ newMember }) => {
    test.slow();
    const one = await newMember();
    const other = await newMember();
    await one.page.goto(`/members/${String(other.id)}/`);
    await one.page.getByRole('button', { name: 'Block', exact: true }).click();
    await expectText(one.page, 'Member blocked');
    await expect(one.page.getByRole('button', { name: 'Unblock' })).toBeVisible();
    await expect(one.page.getByRole('button', { name: 'Unblock', pressed: true })).toHaveCount(0);

    const write = async (text: string) => {
      await other.page.goto(`/members/${String(other.id)}/messages/?with=${String(one.id)}`);
      await other.page.getByRole('textbox', { name: 'Your message' }).fill(text);
      await other.page.getByRole('button', { name: 'Send' }).click();
    };
    const log = other.page.getByRole('log');
    await write('Are you there?');
    await expect(other.page.getByRole('alert').filter({ hasText: BLOCKED })).toBeVisible();
    await expect(log.getByText('Are you there?')).toHaveCount(0);
    // The typed text is retained.
    await expect(other.page.getByRole('textbox', { name: 'Your message' })).toHaveValue(
      'Are you there?',
    );
    await other.page.goto(`/members/${String(one.id)}/wall/1/`);
    await other.page.getByLabel('Your comment').fill('A word on the wall');
    await other.page.getByRole('button', { name: 'Send' }).click();
    await expectText(other.page, BLOCKED);
    await expect(other.page.getByRole('listitem').getByText('A word on the wall')).toHaveCount(0);

    await one.page.goto(`/members/${String(one.id)}/friends/1/`);
    const blocked = one.page.getByRole('region', { name: 'Blocked members' });
    await expect(blocked.getByRole('link', { name: other.name })).toBeVisible();
    await blocked.getByRole('button', { name: 'Unblock' }).click();
    await expectText(one.page, 'Member unblocked');
    await expect(blocked).toHaveCount(0);

    await write('Good to be back');
    await expect(log.getByText('Good to be back')).toBeVisible();
    await one.page.goto(`/members/${String(one.id)}/messages/?with=${String(other.id)}`);
    await expect(one.page.getByRole('log').getByText('Good to be back')).toBeVisible();
  });
});
