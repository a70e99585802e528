/** Tests changing an account's email address and canceling the change. */
import { expect, expectAccessible, test } from './fixtures';
import { linkIn } from './mails';
import { enter, PASSWORD, send } from './members';

// These are caused by a wrong password and an expired link.
test.use({ expected: [/status of 422/] });

test('a new address counts once its link is followed, and the old one is notified', async ({
  newMember,
}) => {
  const { page, id, name } = await newMember();
  const [former, next] = [`${name}@members.example`, `${name}@elsewhere.example`];
  const settings = page.getByRole('region', { name: 'Account settings' });
  const change = settings.getByRole('region', { name: 'Change email' });
  await page.goto(`/members/${String(id)}/info/`);
  await change.getByLabel('New email').fill(next);
  await change.getByLabel('Current password').fill('not this one');
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true');
  await change.getByLabel('Current password').fill(PASSWORD);
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change.getByText(`We sent a link to ${next}`)).toBeVisible();
  await page.reload();
  await expect(change.getByText(`Current email: ${former}`)).toBeVisible();
  await expect(change.getByText(`${next} is waiting to be confirmed.`)).toBeVisible();

  await page.goto(await linkIn(next, /\/confirm\/\?token=[\w-]+/g));
  await page.getByRole('main').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('main').getByText('Your email is confirmed.')).toBeVisible();
  await linkIn(former, /now uses another address/g);
  await page.goto(`/members/${String(id)}/info/`);
  await expect(change.getByText(`Current email: ${next}`)).toBeVisible();

  const refused = await send(page, '/api/login.php', { usr: former, pwd: PASSWORD });
  expect(refused.status()).toBe(401);
  expect(await enter(page, { usr: next, pwd: PASSWORD })).toBe(id);
});

test('the current address is notified of a requested change and can cancel it', async ({
  newMember,
  newGuest,
}) => {
  const { page, id, name } = await newMember();
  const [own, next] = [`${name}@members.example`, `${name}@elsewhere.example`];
  await page.goto(`/members/${String(id)}/info/`);
  const settings = page.getByRole('region', { name: 'Account settings' });
  const change = settings.getByRole('region', { name: 'Change email' });
  await change.getByLabel('New email').fill(next);
  await change.getByLabel('Current password').fill(PASSWORD);
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change.getByText(`We sent a link to ${next}`)).toBeVisible();

  // The mail may be read in a browser that isn't logged in.
  const guest = await newGuest();
  const main = guest.getByRole('main');
  await linkIn(own, /another email address for your account/g);
  await guest.goto(await linkIn(own, /(?<=Keep this address\s+\S+)\/confirm\/\?token=[\w-]+/g));
  await expect(guest.getByRole('heading', { name: 'Keep your email' })).toBeVisible();
  await expectAccessible(guest);
  await main.getByRole('button', { name: 'Keep my email' }).click();
  await expect(main.getByText('Your email hasn’t changed')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Reset password' })).toBeVisible();
  await guest.reload();
  await expect(main.getByText('the change was cancelled')).toBeVisible();
  await guest.goto(await linkIn(next, /\/confirm\/\?token=[\w-]+/g));
  await expect(main.getByText('This link is no longer valid')).toBeVisible();

  await page.reload();
  await expect(change.getByText(`Current email: ${own}`)).toBeVisible();
  await expect(change.getByText('is waiting to be confirmed')).toHaveCount(0);
});
