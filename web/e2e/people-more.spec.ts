/** Those one follows, those one keeps away, and pictures that are and aren't taken. */
import type { Page } from '@playwright/test';
import type { ModelsAnswer } from '../src/api/types';
import { cards, expect, test } from './fixtures';
import { newMember } from './members';
import { drawn } from './pictures';

const said = (page: Page, text: string) => expect(page.getByText(text).first()).toBeVisible();
const BLOCKED = 'This member does not want to hear from you.';

test('who is blocked can neither write nor comment, until they are unblocked', async ({
  browser,
  baseURL,
}) => {
  test.slow();
  const one = await newMember(browser, baseURL);
  const other = await newMember(browser, baseURL);
  await one.page.goto(`/members/${String(other.id)}/`);
  await one.page.getByRole('button', { name: 'Block', exact: true }).click();
  await said(one.page, 'Member blocked');
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
  // What was typed is still there.
  await expect(other.page.getByRole('textbox', { name: 'Your message' })).toHaveValue(
    'Are you there?',
  );
  await other.page.goto(`/members/${String(one.id)}/wall/1/`);
  await other.page.getByLabel('Your comment').fill('A word on the wall');
  await other.page.getByRole('button', { name: 'Send' }).click();
  await said(other.page, BLOCKED);
  await expect(other.page.getByRole('listitem').getByText('A word on the wall')).toHaveCount(0);

  await one.page.goto(`/members/${String(one.id)}/friends/1/`);
  const blocked = one.page.getByRole('region', { name: 'Blocked members' });
  await expect(blocked.getByRole('link', { name: other.name })).toBeVisible();
  await blocked.getByRole('button', { name: 'Unblock' }).click();
  await said(one.page, 'Member unblocked');
  await expect(blocked).toHaveCount(0);

  await write('Good to be back');
  await expect(log.getByText('Good to be back')).toBeVisible();
  await one.page.goto(`/members/${String(one.id)}/messages/?with=${String(other.id)}`);
  await expect(one.page.getByRole('log').getByText('Good to be back')).toBeVisible();
  await one.context.close();
  await other.context.close();
});

test('the newest videos of a followed model and member are in the feed, until they are left', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id } = await newMember(browser, baseURL);
  const own = `/members/${String(id)}/subscriptions/`;
  await page.goto(own);
  await said(page, 'Nothing new from those you follow');

  /** Titles as the lists have them, the newest first. */
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
  await said(page, 'You are subscribed now');
  await page.goto(own);
  const feed = page.getByRole('region', { name: 'New from those you follow' });
  /** In this order; what other orientations have may stand between. */
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
  const following = page.getByRole('region', { name: 'You follow', exact: true });
  await shows(await newest(`model.${model.dir}`));
  await expect(following.getByRole('link', { name: model.title })).toBeVisible();
  await following.getByRole('button', { name: 'Unsubscribe' }).click();
  await said(page, 'You are no longer subscribed');
  await expect(following.getByRole('link', { name: model.title })).toHaveCount(0);

  await page.goto('/members/2/');
  await subscribe.click();
  await said(page, 'You are subscribed now');
  await page.goto(own);
  await shows(await newest('member.2'));
  await page.goto('/members/2/');
  const subscribed = page.getByRole('button', { name: 'Subscribed' });
  await expect(subscribed).toBeVisible();
  await expect(subscribed).not.toHaveAttribute('aria-pressed');
  await subscribed.click();
  await said(page, 'You are no longer subscribed');
  await page.goto(own);
  await said(page, 'Nothing new from those you follow');
  await context.close();
});

test('a portrait and a cover are taken; what is no picture, too small or too large is refused beside its field', async ({
  browser,
  baseURL,
}) => {
  const { page, context, id } = await newMember(browser, baseURL);
  await page.goto(`/members/${String(id)}/info/`);
  const form = page.getByRole('form', { name: 'Profile' });
  const portrait = form.getByLabel(/^Profile picture/);
  const cover = form.getByLabel(/^Cover picture/);
  const save = form.getByRole('button', { name: 'Save' });
  const refused = async (field: typeof cover, text: string) => {
    await save.click();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(form.getByRole('alert')).toHaveText([text]);
  };
  const note = { name: 'note.png', mimeType: 'image/png', buffer: Buffer.from('only words') };
  await portrait.setInputFiles(note);
  await refused(portrait, 'This file is not a picture we can read.');
  await portrait.setInputFiles(await drawn(page, 90, 90));
  await refused(portrait, 'The picture is too small or too large.');
  await portrait.setInputFiles({ ...note, buffer: Buffer.alloc(9 * 1024 * 1024) });
  await refused(portrait, 'The picture is too large.');
  await portrait.setInputFiles(await drawn(page, 400, 300));
  await cover.setInputFiles(await drawn(page, 1249, 400));
  await refused(cover, 'The picture is too small or too large.');

  await cover.setInputFiles(await drawn(page, 1600, 500));
  await save.click();
  await said(page, 'Saved');
  await expect(page.getByRole('button', { name: /^Account of / }).locator('img')).toBeVisible();
  await page.reload();
  for (const [name, width, height] of [
    ['Profile picture', 320, 320],
    ['Cover picture', 1250, 250],
  ] as const) {
    const picture = form.getByRole('img', { name });
    await expect(picture).toHaveAttribute('src', /^\/media\//);
    const size = await picture.evaluate((image: HTMLImageElement) =>
      image.decode().then(() => [image.naturalWidth, image.naturalHeight]),
    );
    expect(size[0], name).toBeGreaterThanOrEqual(width);
    expect(size[1], name).toBeGreaterThanOrEqual(height);
  }
  await form.getByRole('button', { name: 'Remove “Cover picture”' }).click();
  await save.click();
  await said(page, 'Saved');
  await page.reload();
  await expect(form.getByRole('img', { name: 'Profile picture' })).toBeVisible();
  await expect(form.getByRole('img', { name: 'Cover picture' })).toHaveCount(0);
  await context.close();
});
