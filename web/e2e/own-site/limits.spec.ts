/** Tests that the app shows the server's limits and has none hard-coded. */
import type { Page } from '@playwright/test';
import type { Schema } from '../../src/api/call';
import { listed } from '../fixtures';
import { enter } from '../members';
import { noise } from '../pictures';
import { expect, SETTINGS, test } from '../site';

test.describe('a field that is too long', () => {
  test.use({ expected: [/status of 422/] });

  /** Returns the limits in a call's next response, by field. */
  async function bounds(page: Page, path: string) {
    const answer = await page.waitForResponse(`**${path}`);
    const { codes = [] } = (await answer.json()) as Schema<'Error'>;
    return Object.fromEntries(codes.map(({ field, info }) => [field, info?.bound]));
  }
  const tooLong = (bound: number | undefined) =>
    new RegExp(`At most ${String(bound)} characters, please\\.`);

  test('shows its limit beside each field', async ({ page }) => {
    await page.goto('/signup/');
    const form = page.getByRole('main');
    await form.getByLabel('Username').fill('somebody-else');
    await form.getByLabel('Email').fill('somebody@members.example');
    await form.getByLabel('Password').fill('p'.repeat(100));
    await form.getByLabel('I am at least 18').check();
    const refused = bounds(page, '/api/signup.php');
    await form.getByRole('button', { name: 'Sign up' }).click();
    const { pwd } = await refused;
    expect(pwd).toBe(Number(SETTINGS.ACCOUNTS__PASSWORD_MAX));
    await expect(form.getByLabel('Password')).toHaveAccessibleDescription(tooLong(pwd));

    const id = await enter(page);
    await page.goto(`/members/${String(id)}/info/`);
    const profile = page.getByRole('form', { name: 'Profile' });
    const fields = { city: 'City', about: 'About', occupation: 'Occupation' };
    for (const label of Object.values(fields)) {
      await profile.getByLabel(label, { exact: true }).fill('x'.repeat(5001));
    }
    const told = bounds(page, '/api/member.php');
    await profile.getByRole('button', { name: 'Save' }).click();
    const limits = await told;
    expect(Object.keys(limits).sort()).toEqual(Object.keys(fields).sort());
    for (const [field, label] of Object.entries(fields)) {
      await expect(profile.getByLabel(label, { exact: true })).toHaveAccessibleDescription(
        tooLong(limits[field]),
      );
    }
  });
});

test.describe('a refused list', () => {
  test.use({
    expected: [/status of (401|429)/],
    // The test uses a separate address, because its searches soon exceed the limit.
    extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.7' },
  });

  test('shows the reason for its error code', async ({ page, context }) => {
    const problem = page.getByRole('main').getByRole('alert');
    await page.goto('/search/1/?s=night');
    await listed(page);
    // The app decides how many searches a page makes, so use up the rest of the limit.
    const search = '/api/videos2.php?params=86400/str/relevance/60/search..1.all.all.all&s=night';
    await expect.poll(async () => (await page.request.get(search)).status()).toBe(429);
    await page.goto('/search/1/?s=river');
    await expect(problem).toContainText(/Too many attempts\. Try again in \d+ minutes\./);
    await expect(problem).not.toContainText('on our side');

    const id = await enter(page);
    await page.goto(`/members/${String(id)}/favourite_videos/1/`);
    await expect(page.getByRole('link', { name: 'Watch later' })).toBeVisible();
    // The session has been ended elsewhere.
    await context.clearCookies({ name: 'session' });
    await page.getByRole('link', { name: 'Watch later' }).click();
    await expect(problem).toContainText('Please log in to complete this action.');
  });
});

test('a picture may be as large as the server accepts', async ({ page }) => {
  await page.goto('/information/support/');
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // Reports of page views are not counted here.
    if (request.method() === 'POST' && pathname !== '/api/pageview.php') sent.push(pathname);
  });
  await page.getByRole('main').getByRole('button', { name: 'Contact us' }).click();
  const letter = page.getByRole('dialog', { name: 'Contact us' });
  await letter.getByLabel('Your email').fill('guest@visitors.example');
  await letter.getByLabel('Message').fill('A question about the site.');
  const picture = letter.getByLabel('Picture');
  const most = Number(SETTINGS.PICTURES__MAX_BYTES);
  const small = await noise(page, 1300);
  expect(small.buffer.length).toBeGreaterThan(5_500_000);
  expect(small.buffer.length).toBeLessThanOrEqual(most);
  await picture.setInputFiles({ ...small, buffer: Buffer.alloc(most + 1) });
  await letter.getByRole('button', { name: 'Send' }).click();
  await expect(picture).toHaveAccessibleDescription(
    'The picture is too large: up to 7 MB, please.',
  );
  expect(sent, 'nothing is sent to be refused').toEqual([]);
  await picture.setInputFiles(small);
  await letter.getByRole('button', { name: 'Send' }).click();
  await expect(letter.getByRole('status')).toHaveText(/Thank you/);
});

test('a list may have as many categories as configured', async ({ page }) => {
  const all = await page.request.get('/api/json/categories/86400/str.all.en.json');
  const { categories } = (await all.json()) as Schema<'CategoriesAnswer'>;
  const most = Number(SETTINGS.LISTING__MAX_CATEGORIES);
  const dirs = categories.slice(0, most).map(({ dir }) => dir);
  expect(dirs).toHaveLength(most);
  const names = dirs.toSorted().join(',');
  const list = `/api/json/videos2/3600/str/latest-updates/60/categories.${names}.1.all.all.all.json`;
  const answer = await page.request.get(`${list}?lang=en`);
  const { total_count } = (await answer.json()) as Schema<'VideosAnswer'>;

  await page.goto(`/categories/${dirs.join(',')}/latest-updates/1/`);
  const videos = `${String(total_count)} video${total_count === 1 ? '' : 's'}`;
  await expect(page.getByRole('main').getByText(videos, { exact: true }).first()).toBeVisible();
  const rail = page.getByRole('complementary', { name: 'Filters' });
  await expect(rail.getByText(`Up to ${String(most)} categories at once`)).toBeVisible();
});

test('the sidebar offers common categories; typing finds the rest', async ({ page }) => {
  const of = async (section: string) => {
    const answer = await page.request.get(`/api/json/categories/86400/str.${section}.en.json`);
    return ((await answer.json()) as Schema<'CategoriesAnswer'>).categories;
  };
  const common = await of('sidebar');
  const rare = (await of('all')).at(-1);
  if (!rare) throw new Error('no categories');
  expect(common.length).toBeGreaterThan(1);
  expect(rare.total_videos).toBeLessThan(Number(SETTINGS.LISTING__SIDEBAR_MIN_VIDEOS));
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  const rail = page.getByRole('complementary', { name: 'Filters' });
  const group = rail.getByRole('group', { name: 'Categories' }).last();
  const names = group.locator('label > span:first-of-type');
  await expect(names).toHaveText(common.map(({ title }) => title));
  await rail.getByRole('searchbox', { name: 'Find a category' }).fill(rare.title);
  await rail.getByRole('checkbox', { name: rare.title }).check();
  await expect(page).toHaveURL(new RegExp(`/categories/${rare.dir}/latest-updates/1/$`));
  await rail.getByRole('searchbox', { name: 'Find a category' }).fill('');
  await expect(rail.getByRole('checkbox', { name: rare.title })).toBeChecked();
});
