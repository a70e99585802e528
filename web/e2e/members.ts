/** Provides members for tests: the demo's, and new ones created through the same calls that the forms use. */
import { createHash } from 'node:crypto';
import {
  expect,
  type APIRequestContext,
  type APIResponse,
  type BrowserContext,
  type Page,
} from '@playwright/test';
import { payload, type Challenge } from '../src/shared/captcha/solve';
import { linkIn } from './mails';

export const DEMO = { usr: 'demo', pwd: 'demo-lantern' };
/** Password of each new member. */
export const PASSWORD = 'a good secret';

export interface Somebody {
  page: Page;
  name: string;
  id: number;
}

/** Posts a form in the same way as the site's pages. A browser with cookies must send its origin. */
export const send = (
  { request }: Page,
  path: string,
  form: Record<string, string | number>,
): Promise<APIResponse> =>
  request.post(path, { form, headers: { 'sec-fetch-site': 'same-origin' } });

/** Posts a form and asserts that this succeeds. */
export async function sent(...what: Parameters<typeof send>): Promise<APIResponse> {
  const answer = await send(...what);
  expect(answer.ok(), await answer.text()).toBe(true);
  return answer;
}

/** Logs the visitor of `page` in without the dialog. */
export async function enter(page: Page, login = DEMO): Promise<number> {
  const answer = await sent(page, '/api/login.php', login);
  const { user } = (await answer.json()) as { user: { user_id: number } };
  return user.user_id;
}

/** Sets the cookie of a visitor who has passed the age gate. */
export async function passAgeGate(context: BrowserContext, baseURL: string | undefined) {
  await context.addCookies([{ name: 'age_agreed', value: '1', url: baseURL ?? '' }]);
}

/** Solves the proof of work that sign-up requires. */
async function proof(request: APIRequestContext): Promise<string> {
  const answer = await request.get('/api/captcha.php?for=signup');
  const challenge = (await answer.json()) as Challenge;
  for (let number = 0; number <= challenge.maxnumber; number += 1) {
    const hash = createHash('sha256').update(`${challenge.salt}${String(number)}`);
    if (hash.digest('hex') === challenge.challenge) return payload(challenge, number);
  }
  throw new Error('challenge without a solution');
}

/** Names cannot be reused after deletion, so each one is unique. */
export const freshName = (role: string) =>
  `${role}-${Date.now().toString(36)}${Math.floor(Math.random() * 1296).toString(36)}`;

/** Signs up the visitor of `page` and logs them in. Their mail is written to `data`. */
export async function join(page: Page, data: string): Promise<Somebody> {
  const name = freshName('w');
  const eml = `${name}@members.example`;
  const captcha = await proof(page.request);
  await sent(page, '/api/signup.php', { usr: name, eml, pwd: PASSWORD, agree18: 1, captcha });
  const link = await linkIn(eml, /\/confirm\/\?token=[\w-]+/g, data);
  await sent(page, '/api/confirm.php', { token: link.replace(/.*=/, '') });
  return { page, name, id: await enter(page, { usr: name, pwd: PASSWORD }) };
}

/** Opens a video and waits for the text below the player, which appears together with the buttons. */
export async function watching(page: Page, path = '/videos/12/') {
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Favourite' })).toBeVisible();
}

/** Asserts that this text is visible somewhere on the page. */
export const expectText = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeVisible();
