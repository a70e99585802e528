/** Long lists of whom a member follows, and of what is new from them: all of it is reached, and nothing twice. */
import type { Locator, Page } from '@playwright/test';
import type { Schema } from '../src/api/call';
import type { ModelsAnswer } from '../src/api/types';
import { cards, expect, expectAccessible, test } from './fixtures';
import { newMember } from './members';

/** `listing.people_page`, and the videos of a page. */
const PAGE = 40;
const VIDEOS = 60;

/** Follows so many models that they fill a page and begin the next. Gives their addresses. */
async function followMany(page: Page, baseURL: string | undefined): Promise<string[]> {
  const answer = await page.request.get(
    `/api/json/models/86400/str/filt/count-videos/${String(PAGE + 1)}/1.json`,
  );
  const { models } = (await answer.json()) as ModelsAnswer;
  const headers = { origin: new URL(baseURL ?? '').origin };
  for (const { model_id } of models) {
    const form = { act: 'subscribe', section: 'add', object_type: 'model', object_id: model_id };
    const done = await page.request.post('/api/stat.php', { form, headers });
    expect(done.ok(), await done.text()).toBe(true);
  }
  return models.map(({ dir }) => `/model/${dir}/`);
}

/** Where cards lead. */
const addresses = (of: Locator) =>
  of.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

test('whom a member follows is read page by page, by others and by the member, whatever the number', async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  const { page: own, context, id } = await newMember(browser, baseURL);
  const all = await followMany(own, baseURL);
  const path = `/members/${String(id)}/subscriptions/`;

  await page.goto(path);
  await expect(cards(page)).toHaveCount(PAGE);
  const first = await addresses(cards(page));
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(cards(page)).toHaveCount(1);
  const seen = [...first, ...(await addresses(cards(page)))];
  expect(seen.toSorted()).toEqual(all.toSorted());
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expectAccessible(page);

  const following = own.getByRole('region', { name: 'You follow', exact: true });
  const leave = following.getByRole('button', { name: /^Unsubscribe/ });
  await own.goto(path);
  await expect(leave).toHaveCount(PAGE);
  await following.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(leave).toHaveCount(1);
  await expectAccessible(own);
  // With the last one of this page the page goes, too.
  await leave.click();
  await expect(leave).toHaveCount(PAGE);
  await context.close();
});

test('what is new from those a member follows goes on for as long as there is more, and nothing comes twice', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id } = await newMember(browser, baseURL);
  await followMany(page, baseURL);
  await page.goto(`/members/${String(id)}/subscriptions/`);
  const feed = page.getByRole('region', { name: 'New from those you follow' });
  const videos = feed.locator('article h3 a');
  await expect(videos).toHaveCount(VIDEOS);
  await feed.getByRole('button', { name: 'Show more' }).click();
  await expect(videos).toHaveCount(2 * VIDEOS);
  expect(new Set(await addresses(videos)).size).toBe(2 * VIDEOS);
  await context.close();
});

test('whom a member has blocked is read page by page, too', async ({ browser, baseURL }) => {
  test.slow();
  const { page, context, id } = await newMember(browser, baseURL);
  const answer = await page.request.get(
    `/api/json/members/86400/filt/recent/${String(PAGE + 2)}/1.json`,
  );
  const others = ((await answer.json()) as Schema<'MembersAnswer'>).members;
  const members = others.filter(({ user_id }) => user_id !== id).slice(0, PAGE + 1);
  const headers = { origin: new URL(baseURL ?? '').origin };
  for (const { user_id } of members) {
    const form = { act: 'block', section: 'add', object_id: user_id };
    const done = await page.request.post('/api/stat.php', { form, headers });
    expect(done.ok(), await done.text()).toBe(true);
  }
  await page.goto(`/members/${String(id)}/friends/1/`);
  const blocked = page.getByRole('region', { name: 'Blocked members' });
  const unblock = blocked.getByRole('button', { name: 'Unblock' });
  await expect(unblock).toHaveCount(PAGE);
  const first = await addresses(blocked.getByRole('link'));
  await blocked.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(unblock).toHaveCount(members.length - PAGE);
  const seen = [...first, ...(await addresses(blocked.getByRole('link')))];
  expect(new Set(seen).size).toBe(members.length);
  await context.close();
});
