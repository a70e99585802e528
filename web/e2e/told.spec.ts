/** What the app says is what the server does. On a site of its own: with other limits, and uploads that nobody else looks at. */
import type { APIRequestContext, Page } from '@playwright/test';
import type { Schema } from '../src/api/call';
import { listed } from './fixtures';
import { ageAgreed, DEMO, enter, newMember } from './members';
import { noise } from './pictures';
import { expect, SETTINGS, test } from './site';

// One site for all of them.
test.describe.configure({ mode: 'default' });

const said = (page: Page, text: string | RegExp) =>
  expect(page.getByText(text).first()).toBeVisible();

/** An upload in its owner's list. */
const upload = (page: Page, title: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: title, exact: true }) });

type OwnVideo = Schema<'OwnVideo'>;

/** Own uploads as the server has them. */
async function uploads(request: APIRequestContext): Promise<OwnVideo[]> {
  const answer = await request.get('/api/member_lists.php?list=uploaded_videos&lang=en');
  return ((await answer.json()) as { videos: OwnVideo[] }).videos;
}

/** The demo's member among the own uploads, and one that everybody can see. */
async function atUploads(page: Page, baseURL: string | undefined): Promise<OwnVideo> {
  const id = await enter(page, DEMO, baseURL);
  const video = (await uploads(page.request)).find((one) => one.status_id === 1 && !one.is_private);
  if (!video) throw new Error('no upload that everybody can see');
  await page.goto(`/members/${String(id)}/uploaded_videos/1/`);
  return video;
}

test.describe('a private video', () => {
  // The page itself is answered as to a guest; the app asks for more.
  test.use({ expected: [/status of 403/] });

  test('plays for who uploaded it and for members; guests are asked to sign in', async ({
    page,
    browser,
    baseURL,
    site,
  }) => {
    const { video_id, title } = await atUploads(page, baseURL);
    await upload(page, title).getByRole('button', { name: 'Make private' }).click();
    await said(page, 'The video is private now');
    const plays = async (who: Page) => {
      await who.goto(`/videos/${String(video_id)}/`);
      await expect(who.getByRole('heading', { level: 1 })).toHaveText(title);
      await who.locator('.lantern-big-play').click();
      const position = () =>
        who.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime);
      await expect.poll(position).toBeGreaterThan(0.3);
      await expect(who.getByRole('main').getByText('Private', { exact: true })).toBeVisible();
    };
    await plays(page);
    await expect(page.getByRole('button', { name: /^Like: / })).toBeVisible();
    await expect(page.getByLabel('Your comment')).toBeVisible();

    const { page: other, context } = await newMember(browser, baseURL, site.data);
    await plays(other);
    // What is the uploader's alone is not offered to others.
    await expect(other.getByRole('button', { name: /^Like: / })).toHaveCount(0);
    await expect(other.getByRole('region', { name: 'Comments' })).toBeVisible();
    await expect(other.getByLabel('Your comment')).toHaveCount(0);
    await context.close();

    const guests = await browser.newContext({ baseURL: baseURL ?? '' });
    await ageAgreed(guests, baseURL);
    const guest = await guests.newPage();
    await guest.goto(`/videos/${String(video_id)}/`);
    await expect(guest.getByRole('alert')).toHaveText(
      'Video is private! You should login to watch it',
    );
    await expect(guest.locator('video')).toHaveCount(0);
    await guests.close();
  });
});

test('an upload that was rejected says so, and can only be deleted', async ({
  page,
  baseURL,
  site,
}) => {
  // A ban sends all uploads back to wait for a decision.
  site.operate('moderate', 'ban', DEMO.usr, '--reason', 'to be looked at again', '--uploads');
  site.operate('moderate', 'unban', DEMO.usr);
  const id = await enter(page, DEMO, baseURL);
  const waiting = (await uploads(page.request)).filter((one) => one.status_id === 2);
  const [rejected, ...others] = waiting;
  if (!rejected) throw new Error('no upload that waits');
  await page.goto(`/members/${String(id)}/uploaded_videos/1/`);
  await expect(upload(page, rejected.title)).toContainText('Waiting for review');
  site.operate('moderate', 'reject', 'video', String(rejected.video_id));
  for (const { video_id } of others) site.operate('moderate', 'approve', 'video', String(video_id));
  await page.reload();
  const row = upload(page, rejected.title);
  await expect(row).toContainText('Rejected');
  await expect(row).not.toContainText('Waiting for review');
  await expect(row.getByRole('button', { name: /Delete|Re-add|Make/ })).toHaveText(['Delete']);
});

test.describe('a deleted upload', () => {
  test.use({ expected: [/status of 422/] });

  test('can be re-added, and the dialogs say what will happen', async ({ page, baseURL }) => {
    const { title } = await atUploads(page, baseURL);
    const row = upload(page, title);
    const dialog = page.getByRole('dialog');
    await row.getByRole('button', { name: 'Re-add' }).click();
    await expect(dialog).toContainText(`“${title}” leaves the site now and comes back as it was.`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await row.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog).toContainText(
      `“${title}” will disappear from the site. You can re-add it later.`,
    );
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await said(page, 'The video is deleted. You can re-add it.');
    await expect(row).toContainText('Deleted');
    await expect(row.getByRole('button', { name: 'Delete' })).toHaveCount(0);

    await row.getByRole('button', { name: 'Re-add' }).click();
    await expect(dialog).toContainText(`“${title}” comes back to the site as it was.`);
    const days = dialog.getByLabel('After how many days');
    await expect(days).toHaveValue('7');
    // The most that may be named is the server's to say.
    await days.fill('366');
    await dialog.getByRole('button', { name: 'Re-add' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('This value is not possible here.');
    await days.fill('3');
    const answered = page.waitForResponse('**/api/video_edit.php');
    await dialog.getByRole('button', { name: 'Re-add' }).click();
    const { readd_at } = (await (await answered).json()) as Schema<'ManagedAnswer'>;
    await said(page, 'The video will come back');
    await expect(row.locator('time').last()).toHaveAttribute('datetime', readd_at ?? 'none');
    await expect(row).toContainText('Back on');
  });
});

test.describe('a field that is too long', () => {
  test.use({ expected: [/status of 422/] });

  /** The bounds that the next answer of a call names, by field. */
  async function bounds(page: Page, path: string) {
    const answer = await page.waitForResponse(`**${path}`);
    const { codes = [] } = (await answer.json()) as Schema<'Error'>;
    return Object.fromEntries(codes.map(({ field, info }) => [field, info?.bound]));
  }
  const tooLong = (bound: number | undefined) =>
    new RegExp(`At most ${String(bound)} characters, please\\.`);

  test('names its own bound, each beside its field', async ({ page, baseURL }) => {
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

    const id = await enter(page, DEMO, baseURL);
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

test.describe('a list that is refused', () => {
  test.use({
    expected: [/status of (401|429)/],
    // A client of its own, whose searches are soon too many.
    extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.7' },
  });

  test('says why, in the words of its code', async ({ page, baseURL, context }) => {
    const problem = page.getByRole('main').getByRole('alert');
    await page.goto('/search/1/?s=night');
    await listed(page);
    // How many searches a page makes is the app's own affair; this uses up what is left.
    const search = '/api/videos2.php?params=86400/str/relevance/60/search..1.all.all.all&s=night';
    await expect.poll(async () => (await page.request.get(search)).status()).toBe(429);
    await page.goto('/search/1/?s=river');
    await expect(problem).toContainText(/Too many attempts\. Try again in \d+ minutes\./);
    await expect(problem).not.toContainText('on our side');

    const id = await enter(page, DEMO, baseURL);
    await page.goto(`/members/${String(id)}/favourite_videos/1/`);
    await expect(page.getByRole('link', { name: 'Watch later' })).toBeVisible();
    // The session ends elsewhere.
    await context.clearCookies({ name: 'session' });
    await page.getByRole('link', { name: 'Watch later' }).click();
    await expect(problem).toContainText('Please log in to complete this action.');
  });
});

test('a picture may be as large as the server takes it', async ({ page }) => {
  await page.goto('/information/support/');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
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
  await expect(picture).toHaveAccessibleDescription('The picture is too large.');
  expect(sent, 'nothing is sent to be refused').toEqual([]);
  await picture.setInputFiles(small);
  await letter.getByRole('button', { name: 'Send' }).click();
  await expect(letter.getByRole('status')).toHaveText(/Thank you/);
});

test('what is chosen is kept once, for all hosts of the domain', async ({
  page,
  context,
  site,
}) => {
  const at = (host: string) =>
    site.address.replace('127.0.0.1', `${host}.${SETTINGS.SERVER__COOKIE_DOMAIN}`);
  // Written by an app that didn't know of the domain.
  await context.addCookies([{ name: 'app_lang', value: 'ja', url: at('www') }]);
  await page.goto(at('www'));
  await page.getByRole('dialog').getByRole('button', { name: /18/ }).click();
  await page.getByRole('button', { name: /^言語/ }).click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('radio', { name: 'Gay' }).check({ force: true });
  const kept = (await context.cookies(at('www'))).map(({ name, value, domain }) => [
    name,
    value,
    domain,
  ]);
  const domain = `.${SETTINGS.SERVER__COOKIE_DOMAIN}`;
  expect(kept.sort()).toEqual([
    ['age_agreed', '1', domain],
    ['app_lang', 'de', domain],
    ['country_code', 'XX', domain],
    ['gender', 'gay', domain],
  ]);
  await page.goto(at('m'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('radio', { name: 'Gay' })).toBeChecked();
});

test('the sidebar offers categories of many videos; typing finds the others', async ({ page }) => {
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
  const names = rail.locator('label:has([type=checkbox]) > span:first-of-type');
  await expect(names).toHaveText(common.map(({ title }) => title));
  await rail.getByRole('searchbox').fill(rare.title);
  await rail.getByRole('checkbox', { name: rare.title }).check();
  await expect(page).toHaveURL(new RegExp(`/categories/${rare.dir}/latest-updates/1/$`));
  await rail.getByRole('searchbox').fill('');
  await expect(rail.getByRole('checkbox', { name: rare.title })).toBeChecked();
});
