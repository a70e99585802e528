/** Tests long lists of followed models, followed members and their new videos: every entry is reachable, and none appears twice. */
import type { Locator, Page } from '@playwright/test';
import type { Schema } from '../src/api/call';
import type { ModelsAnswer, VideosAnswer } from '../src/api/types';
import { cards, expect, expectAccessible, test } from './fixtures';
import { expectText, sent } from './members';

/** The value of `listing.people_page`, and the number of videos per page. */
const PAGE = 40;
const VIDEOS = 60;

/** Follows enough models to fill one page and start the next. Returns their addresses. */
async function followMany(page: Page): Promise<string[]> {
  const answer = await page.request.get(
    `/api/json/models/86400/str/filt/count-videos/${String(PAGE + 1)}/1.json`,
  );
  const { models } = (await answer.json()) as ModelsAnswer;
  for (const { model_id } of models) {
    const fields = { act: 'subscribe', section: 'add', object_type: 'model', object_id: model_id };
    await sent(page, '/api/stat.php', fields);
  }
  return models.map(({ dir }) => `/model/${dir}/`);
}

/** Addresses that the cards link to. */
const addresses = (of: Locator) =>
  of.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

test('the follow list is paged, for its owner and for others', async ({ page, newMember }) => {
  test.slow();
  const { page: own, id } = await newMember();
  const all = await followMany(own);
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

  const following = own.getByRole('region', { name: 'Your subscriptions', exact: true });
  const leave = following.getByRole('button', { name: /^Unsubscribe/ });
  await own.goto(path);
  await expect(leave).toHaveCount(PAGE);
  await following.getByRole('button', { name: 'Page 2', exact: true }).click();
  await expect(leave).toHaveCount(1);
  await expectAccessible(own);
  // Once the last entry on this page is removed, the page itself is gone.
  await leave.click();
  await expect(leave).toHaveCount(PAGE);
});

test('the feed of followed members loads more to the end without duplicates', async ({
  newMember,
}) => {
  const { page, id } = await newMember();
  await followMany(page);
  await page.goto(`/members/${String(id)}/subscriptions/`);
  const feed = page.getByRole('region', { name: 'New from your subscriptions' });
  const videos = feed.locator('article h3 a');
  await expect(videos).toHaveCount(VIDEOS);
  await feed.getByRole('button', { name: 'Show more' }).click();
  await expect(videos).toHaveCount(2 * VIDEOS);
  expect(new Set(await addresses(videos)).size).toBe(2 * VIDEOS);
});

test('the block list is paged, too', async ({ newMember }) => {
  test.slow();
  const { page, id } = await newMember();
  // The list is alphabetical, so members whom other tests create and delete come later in it.
  const answer = await page.request.get(
    `/api/json/members/86400/filt/alphabet/${String(PAGE + 2)}/1.json`,
  );
  const others = ((await answer.json()) as Schema<'MembersAnswer'>).members;
  const members = others.filter(({ user_id }) => user_id !== id).slice(0, PAGE + 1);
  for (const { user_id } of members) {
    await sent(page, '/api/stat.php', { act: 'block', section: 'add', object_id: user_id });
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
});

test('the newest videos of a followed model and member are in the feed until unfollowed', async ({
  newMember,
}) => {
  const { page, id } = await newMember();
  const own = `/members/${String(id)}/subscriptions/`;
  await page.goto(own);
  await expectText(page, 'Nothing new from your subscriptions');

  /** Returns titles as listed, newest first. */
  const newest = async (section: string): Promise<string[]> => {
    const answer = await page.request.get(
      `/api/json/videos2/3600/str/latest-updates/5/${section}.1.all.all.all.json?lang=en`,
    );
    return ((await answer.json()) as { videos: { title: string }[] }).videos.map((v) => v.title);
  };
  const models = await page.request.get('/api/json/models/86400/str/filt/count-videos/1/1.json');
  const [model] = ((await models.json()) as ModelsAnswer).models;
  if (!model) throw new Error('no model');
  const subscribe = page.getByRole('button', { name: 'Subscribe', exact: true });

  await page.goto(`/model/${model.dir}/info/`);
  await subscribe.click();
  await expectText(page, 'You are now subscribed');
  await page.goto(own);
  const feed = page.getByRole('region', { name: 'New from your subscriptions' });
  /** The titles appear in this order, but videos of other orientations may come between them. */
  const shows = async (titles: string[]) => {
    await expect(
      feed
        .locator('h3 a')
        .filter({ hasText: titles[0] ?? '' })
        .first(),
    ).toBeVisible();
    const shown = await cards(page).allTextContents();
    expect(shown.filter((title) => titles.includes(title))).toEqual(titles);
  };
  const following = page.getByRole('region', { name: 'Your subscriptions', exact: true });
  await shows(await newest(`model.${model.dir}`));
  await expect(following.getByRole('link', { name: model.title })).toBeVisible();
  await following.getByRole('button', { name: 'Unsubscribe' }).click();
  await expectText(page, 'You are no longer subscribed');
  await expect(following.getByRole('link', { name: model.title })).toHaveCount(0);

  await page.goto('/members/2/');
  await subscribe.click();
  await expectText(page, 'You are now subscribed');
  await page.goto(own);
  await shows(await newest('member.2'));
  await page.goto('/members/2/');
  const subscribed = page.getByRole('button', { name: 'Subscribed' });
  await expect(subscribed).toBeVisible();
  await expect(subscribed).not.toHaveAttribute('aria-pressed');
  await subscribed.click();
  await expectText(page, 'You are no longer subscribed');
  await page.goto(own);
  await expectText(page, 'Nothing new from your subscriptions');
});

test('a channel can be followed on the page of its video', async ({ newMember }) => {
  const { page, id } = await newMember();
  const get = async <Answer>(path: string) =>
    (await (await page.request.get(path)).json()) as Answer;
  const { videos } = await get<VideosAnswer>(
    '/api/json/videos2/86400/str/latest-updates/1/channel.1.1.all.all.all.json',
  );
  const path = `/videos/${String(videos[0]?.video_id)}/`;
  await page.goto(path);
  const channel = page.locator('main article [role=group]', {
    has: page.getByRole('button', { name: /^Subscribe/ }),
  });
  await channel.getByRole('button', { name: 'Subscribe', exact: true }).click();
  await expect(channel.getByRole('button', { name: 'Subscribed' })).toBeVisible();
  const title = (await channel.locator('b').textContent()) ?? '';
  await page.goto(`/members/${String(id)}/subscriptions/`);
  const following = page.getByRole('region', { name: 'Your subscriptions', exact: true });
  await expect(following.getByText(title, { exact: true })).toBeVisible();
});
