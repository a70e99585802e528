/** The rarer journeys of an account: one's data, another address, and signing in after many failures. */
import { readFile } from 'node:fs/promises';
import { expect, expectAccessible, test } from './fixtures';
import { linkIn } from './mails';
import { ageAgreed, enter, newMember, PASSWORD, watching } from './members';

test('a member downloads all that is kept: who they are and what they did', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id, name } = await newMember(browser, baseURL);
  await watching(page);
  await page.getByRole('button', { name: 'Favourite', exact: true }).click();
  await expect(page.getByText('Added to favourites')).toBeVisible();
  await page.getByLabel('Your comment').fill('Seen twice, and once more');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('Your comment is published')).toBeVisible();

  await page.goto(`/members/${String(id)}/info/`);
  const link = page.getByRole('link', { name: 'Download my data' });
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(file.suggestedFilename()).toBe('account.json');
  const kept: unknown = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(kept).toMatchObject({
    account: { user_id: id, username: name, email: `${name}@members.example` },
    favourites: [{ video_id: 12 }],
    comments: [{ body: 'Seen twice, and once more', object_id: 12 }],
  });
  expect(JSON.stringify(kept)).not.toContain('argon2');
  await context.close();
});

test('another address counts once its link was followed, and the former one is told', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id, name } = await newMember(browser, baseURL);
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
  await expect(change.getByText(`${next} waits to be confirmed.`)).toBeVisible();

  await page.goto(await linkIn(next, /\/confirm\/\?token=[\w-]+/g));
  await page.getByRole('main').getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByRole('main').getByText('Your email is confirmed.')).toBeVisible();
  await linkIn(former, /now uses another address/g);
  await page.goto(`/members/${String(id)}/info/`);
  await expect(change.getByText(`Current email: ${next}`)).toBeVisible();

  const headers = { origin: new URL(baseURL ?? '').origin };
  const sent = { form: { usr: former, pwd: PASSWORD }, headers };
  expect((await page.request.post('/api/login.php', sent)).status()).toBe(401);
  expect(await enter(page, { usr: next, pwd: PASSWORD })).toBe(id);
  await context.close();
});

test('the address that counts is told of a wish for another one, and its link ends it', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id, name } = await newMember(browser, baseURL);
  const [own, next] = [`${name}@members.example`, `${name}@elsewhere.example`];
  await page.goto(`/members/${String(id)}/info/`);
  const settings = page.getByRole('region', { name: 'Account settings' });
  const change = settings.getByRole('region', { name: 'Change email' });
  await change.getByLabel('New email').fill(next);
  await change.getByLabel('Current password').fill(PASSWORD);
  await change.getByRole('button', { name: 'Save' }).click();
  await expect(change.getByText(`We sent a link to ${next}`)).toBeVisible();

  // Whoever reads the mail may be signed in nowhere.
  const guest = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await ageAgreed(guest.context(), baseURL);
  const main = guest.getByRole('main');
  await linkIn(own, /another mail address for your account/g);
  await guest.goto(await linkIn(own, /(?<=Keep this address\s+\S+)\/confirm\/\?token=[\w-]+/g));
  await expect(guest.getByRole('heading', { name: 'Keep your email' })).toBeVisible();
  await expectAccessible(guest);
  await main.getByRole('button', { name: 'Keep my email' }).click();
  await expect(main.getByText('Your email stays as it is')).toBeVisible();
  await expect(main.getByRole('link', { name: 'Restore password' })).toBeVisible();
  await guest.reload();
  await expect(main.getByText('the change was stopped')).toBeVisible();
  await guest.goto(await linkIn(next, /\/confirm\/\?token=[\w-]+/g));
  await expect(main.getByText('This link is not valid any more')).toBeVisible();
  await guest.context().close();

  await page.reload();
  await expect(change.getByText(`Current email: ${own}`)).toBeVisible();
  await expect(change.getByText('waits to be confirmed')).toHaveCount(0);
  await context.close();
});

test('after three failures a proof is asked for, the right password is enough all the same, and what a guest began is done', async ({
  browser,
  baseURL,
}) => {
  const { page, context, name } = await newMember(browser, baseURL);
  await context.clearCookies();
  await ageAgreed(context, baseURL);
  let proofs = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/captcha.php') proofs += 1;
  });
  await watching(page);
  const favourite = page.getByRole('button', { name: 'Favourite', exact: true });
  await favourite.click();
  const dialog = page.getByRole('dialog', { name: 'Sign in' });
  const signIn = async (password: string) => {
    await dialog.getByLabel('Username or email').fill(name);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
  };
  for (const wrong of ['first guess', 'second guess', 'third guess']) {
    const answer = page.waitForResponse('**/api/login.php');
    await signIn(wrong);
    expect((await answer).status(), wrong).toBe(401);
    await expect(dialog.getByText('Invalid username or password')).toBeVisible();
  }
  expect(proofs).toBe(0);
  await signIn(PASSWORD);
  await expect(dialog).toHaveCount(0);
  expect(proofs).toBe(1);
  await expect(page.getByText('Added to favourites')).toBeVisible();
  await expect(favourite).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('button', { name: `Account of ${name}` })).toBeVisible();
  await context.close();
});

test.describe('the end of an account', () => {
  // The wrong password, and the page that is gone.
  test.use({ expected: [/status of (403|404|422)/] });

  test('can be thought over, needs the right password, and takes the page of the member with it', async ({
    page,
    browser,
    baseURL,
  }) => {
    const member = await newMember(browser, baseURL);
    const profile = `/members/${String(member.id)}/`;
    await member.page.goto(`${profile}info/`);
    const open = member.page.getByRole('button', { name: 'Delete account' });
    const dialog = member.page.getByRole('dialog', { name: 'Delete account' });
    const sure = dialog.getByRole('button', { name: 'Delete for good' });
    const password = dialog.getByLabel('Current password');

    await open.click();
    await expect(dialog).toContainText(member.name);
    await expectAccessible(member.page);
    await password.fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(open).toBeFocused();

    await open.click();
    // What was typed before is not kept.
    await expect(password).toHaveValue('');
    await sure.click();
    await expect(password).toHaveAccessibleDescription('Please fill in this field.');
    await password.fill('not this one');
    await sure.click();
    await expect(password).toHaveAccessibleDescription('This is not your present password.');
    await page.goto(profile);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(member.name);

    await password.fill(PASSWORD);
    await sure.click();
    await expect(member.page).toHaveURL(new URL('/', baseURL).href);
    await expect(member.page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    expect((await page.goto(profile))?.status()).toBe(404);
    await expect(page.getByText('404')).toBeVisible();
    const again = { usr: member.name, pwd: PASSWORD };
    const headers = { origin: new URL(baseURL ?? '').origin };
    const refused = await page.request.post('/api/login.php', { form: again, headers });
    expect(refused.status()).toBe(401);
    await member.context.close();
  });
});
