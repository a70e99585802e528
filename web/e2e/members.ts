/** Members for journeys: the demo's, and new ones made as anybody makes an account. */
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { linkIn } from './mails';

export const DEMO = { usr: 'demo', pwd: 'demo-lantern' };
/** Of each new member. */
export const PASSWORD = 'a good secret';

/** Signs the visitor of `page` in without the dialog. */
export async function enter(
  page: Page,
  login = DEMO,
  site = test.info().project.use.baseURL,
): Promise<number> {
  // As the browser says it of our own pages.
  const { origin } = new URL(site ?? '');
  const answer = await page.request.post('/api/login.php', { form: login, headers: { origin } });
  expect(answer.ok(), await answer.text()).toBe(true);
  const { user } = (await answer.json()) as { user: { user_id: number } };
  return user.user_id;
}

export interface Somebody {
  context: BrowserContext;
  page: Page;
  name: string;
  id: number;
}

/** An adult visitor, as one who agreed at the gate. */
export async function ageAgreed(context: BrowserContext, baseURL: string | undefined) {
  await context.addCookies([{ name: 'age_agreed', value: '1', url: baseURL ?? '' }]);
}

/**
 * Somebody new with a browser of their own, signed in. Names are taken for good, so each has its own. `data` is the folder of
 * a server that is not the shared one.
 */
export async function newMember(
  browser: Browser,
  baseURL: string | undefined,
  data?: string,
): Promise<Somebody> {
  const context = await browser.newContext({ baseURL: baseURL ?? '' });
  await ageAgreed(context, baseURL);
  const page = await context.newPage();
  const name = `w-${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;
  const email = `${name}@members.example`;
  await page.goto('/signup/');
  const form = page.getByRole('main');
  await form.getByLabel('Username').fill(name);
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Password').fill(PASSWORD);
  await form.getByLabel('I am at least 18').check();
  await form.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
  await page.goto(await linkIn(email, /\/confirm\/\?token=[\w-]+/g, data));
  await form.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/signin\/\?confirmed=1$/);
  const id = await enter(page, { usr: name, pwd: PASSWORD }, baseURL);
  return { context, page, name, id };
}

/** The words under the player are there, so its buttons are, too. */
export async function watching(page: Page, path = '/videos/12/') {
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Favourite' })).toBeVisible();
}
