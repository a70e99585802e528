/** Tests server-rendered HTML: the first paint needs no further requests, and the site works without scripts. */
import type { Page } from '@playwright/test';
import { cards, expect, listed, newestVideos, test } from './fixtures';

/** Collects the paths and queries of API calls from now on. */
function calls(page: Page): string[] {
  const seen: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    // Reports, such as a view's, are not missing data.
    if (request.method() === 'GET' && pathname.startsWith('/api/')) seen.push(pathname + search);
  });
  return seen;
}

/** Returns the calls whose responses are embedded in the page. */
const held = (page: Page): Promise<string[]> =>
  page.locator('#boot').evaluate((script) => {
    const { answers } = JSON.parse(script.textContent) as { answers: object };
    return Object.keys(answers);
  });

/** When the browser is idle, a list on its first or second page prefetches the next one. */
const isNextPage = (url: string) => /[./][23]\.[a-z]/.test(url);
/** The counts for filter options are requested once the list is loaded. */
const isCount = (url: string) => url.includes('video_counts');
/** What is said in videos is requested after the results. */
const isSpoken = (url: string) => url.includes('/spoken.php');
const isLater = (url: string) => isNextPage(url) || isCount(url) || isSpoken(url);

const LISTS = {
  listing: '/videos/latest-updates/1/?duration=short&utm_source=x',
  sorted: '/videos/most-popular/2/?date=month',
  chart: '/top-country/1/?country=JP',
  search: '/search/1/?s=night market&sort=longest',
  models: '/models/alphabet/1/?tattoo=no&age=20.40',
};

for (const [name, path] of Object.entries(LISTS)) {
  test(`a list is embedded in its page: ${name}`, async ({ page }) => {
    const asked = calls(page);
    await page.goto(path);
    await listed(page);
    await page.waitForLoadState('networkidle');
    const known = await held(page);
    expect(known).toHaveLength(2);
    expect(asked.filter((url) => known.includes(url))).toEqual([]);
    expect(asked.filter((url) => !isLater(url))).toEqual([]);
    expect(asked.filter((url) => !isSpoken(url)).length).toBeLessThanOrEqual(2);
  });
}

test('a list of two categories is embedded in its page', async ({ page, request }) => {
  const categories = (await newestVideos(request, 'en'))
    .map((video) => video.categories.map(({ dir }) => dir))
    .find((dirs) => dirs.length > 1);
  // The order differs from the canonical address.
  const dirs = (categories ?? []).slice(0, 2).sort().reverse().join(',');
  const asked = calls(page);
  await page.goto(`/categories/${dirs}/top-rated/1/`);
  await listed(page);
  await page.waitForLoadState('networkidle');
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(asked.filter((url) => !isLater(url))).toEqual([]);
});

test('home, categories and a model are embedded in their pages', async ({ page }) => {
  const asked = calls(page);
  await page.goto('/');
  await expect(cards(page).first()).toBeVisible();
  for (const heading of await page.locator('main h2').all()) await heading.scrollIntoViewIfNeeded();
  await expect(page.locator('main section').last().locator('article').first()).toBeVisible();
  await page.goto('/categories/');
  await expect(page.locator('main li a').first()).toBeVisible();
  const model = await page.goto('/models/count-videos/1/').then(() => cards(page).first());
  const href = await model.getAttribute('href');
  await page.waitForLoadState('networkidle');
  asked.length = 0;
  await page.goto(href ?? '');
  await listed(page);
  await page.goto(`${href ?? ''}info/`);
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
  expect(asked.filter((url) => !isLater(url))).toEqual([]);
});

test('a video is embedded in its page; only its signed links are requested', async ({
  page,
  request,
}) => {
  const [video] = await newestVideos(request, 'en');
  const asked = calls(page);
  await page.goto(`/videos/${String(video?.video_id)}/${video?.dir ?? ''}/`);
  await expect(page.locator('video')).toBeAttached();
  const related = page.getByRole('region', { name: 'Related videos' });
  await expect(related.locator('article').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked).toEqual([`/api/videofile.php?video_id=${String(video?.video_id)}`]);
});

test('the first pictures are preloaded, each once', async ({ page }) => {
  const pictures: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'image') pictures.push(request.url());
  });
  for (const path of ['/', '/videos/most-popular/1/']) {
    pictures.length = 0;
    await page.goto(path);
    await expect(cards(page).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    // Two videos may share a picture, which then needs to be requested only once.
    expect(pictures.filter((url, index) => pictures.indexOf(url) !== index)).toEqual([]);
    const early = page.locator('head link[rel=preload][as=image]');
    expect(await early.count()).toBeGreaterThan(0);
    // The home page's first shelf has larger pictures.
    await expect(early.first()).toHaveAttribute('imagesizes', path === '/' ? /480px/ : /320px/);
  }
});

test('a link may set another language until the visitor chooses one', async ({ page }) => {
  await page.goto('/videos/top-rated/1/?lang=ja');
  await listed(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  await page.goto('/videos/top-rated/1/?lang=de');
  await page.getByRole('button', { name: /^Sprache/ }).click();
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page).toHaveURL(/\/videos\/top-rated\/1\/$/);
  await page.reload();
  await listed(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test.describe('before the app has loaded', () => {
  test.use({ hasApp: false, viewport: { width: 390, height: 844 }, hasTouch: true });

  /** Holds the app back until released. */
  async function hold(page: Page): Promise<() => void> {
    let release: () => void = () => undefined;
    const held = new Promise<void>((done) => (release = done));
    await page.route('**/assets/start-*.js', async (route) => {
      await held;
      await route.continue();
    });
    return release;
  }

  const boxes = (page: Page) =>
    page.locator('main li img').evaluateAll((pictures) =>
      pictures.slice(0, 6).map((picture) => {
        const { x, y, width, height } = picture.getBoundingClientRect();
        return [x, y, width, height].map(Math.round);
      }),
    );

  test('the server-rendered page is shown, and the app’s cards take the same places', async ({
    page,
  }) => {
    const release = await hold(page);
    await page.goto('/videos/top-rated/1/');
    await expect(page.locator('.plain h1')).toBeVisible();
    await expect(page.locator('.plain li img').nth(5)).toBeVisible();
    const before = await boxes(page);
    release();
    await expect(page.locator('.plain')).toHaveCount(0);
    await listed(page);
    expect(await boxes(page)).toEqual(before);
  });

  test('its links and its search work', async ({ page }) => {
    await hold(page);
    await page.goto('/videos/top-rated/1/');
    await page.getByRole('searchbox').fill('night');
    await page.getByRole('searchbox').press('Enter');
    await expect(page).toHaveURL(/\/search\/1\/\?s=night$/);
    const link = page.locator('.plain main li a').first();
    const href = (await link.getAttribute('href')) ?? '';
    await link.click();
    await expect(page).toHaveURL(href);
  });

  test('typed text and focus survive until the app takes over', async ({ page }) => {
    const release = await hold(page);
    await page.goto('/videos/top-rated/1/');
    await page.getByRole('searchbox').fill('nig');
    release();
    const box = page.getByRole('combobox', { name: 'Search' });
    await expect(box).toBeFocused();
    await expect(box).toHaveValue('nig');
    await page.keyboard.type('ht');
    await expect(box).toHaveValue('night');
  });

  test('the search box holds the query, before the app loads and after', async ({ page }) => {
    const release = await hold(page);
    await page.goto('/search/1/?s=night');
    await expect(page.getByRole('searchbox')).toHaveValue('night');
    release();
    await expect(page.getByRole('combobox', { name: 'Search' })).toHaveValue('night');
  });

  test('muted content is never shown', async ({ page }) => {
    await page.addInitScript(() => {
      const muted = {
        watched: false,
        categories: [{ dir: 'travel', title: 'Travel' }],
        models: [],
        members: [],
      };
      localStorage.setItem('lantern.mutes', JSON.stringify(muted));
    });
    await hold(page);
    await page.goto('/videos/top-rated/1/');
    await expect(page.locator('.plain')).toBeAttached();
    await expect(page.locator('.plain')).toBeHidden();
  });
});

test.describe('when the app can’t be loaded', () => {
  test.use({ hasApp: false, expected: [/net::ERR_FAILED|dynamically imported module/] });

  test('the server-rendered page is shown, also to those who muted something', async ({ page }) => {
    await page.addInitScript(() => {
      const muted = { watched: true, categories: [], models: [], members: [] };
      localStorage.setItem('lantern.mutes', JSON.stringify(muted));
    });
    await page.route('**/assets/start-*.js', (route) => route.abort());
    await page.goto('/videos/top-rated/1/');
    await expect(page.locator('.plain h1')).toBeVisible();
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, hasApp: false });

  test('the whole site can be read', async ({ page }) => {
    await page.goto('/videos/most-popular/1/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Most popular');
    const list = page.locator('main li a');
    await expect(list).toHaveCount(60);
    await expect(list.first().locator('img')).toBeVisible();
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect(page).toHaveURL(/\/videos\/most-popular\/2\/$/);
    const title = (await list.first().textContent()) ?? '';
    await list.first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title.trim());
    await expect(page.frameLocator('iframe').locator('video')).toBeVisible();
    await page.locator('header').getByRole('link', { name: 'Categories' }).click();
    await expect(page.locator('main nav a').first()).toBeVisible();
  });

  test('the age gate has a form', async ({ page, visitor }) => {
    await visitor({ adult: false });
    await page.goto('/videos/top-rated/2/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This site is for adults only',
    );
    await expect(page.locator('main img')).toHaveCount(0);
    await page.getByRole('button', { name: /^I am 18 or older/ }).click();
    await expect(page).toHaveURL(/\/videos\/top-rated\/2\/$/);
    await expect(page.locator('main li a')).toHaveCount(60);
  });
});

test('an embedded player works without the app', async ({ page, request }) => {
  const [video] = await newestVideos(request, 'en');
  await page.goto(`/embed/${String(video?.video_id)}/`);
  const player = page.locator('video');
  await expect
    .poll(() => player.evaluate((node: HTMLVideoElement) => node.duration || 0))
    .toBeGreaterThan(0);
});
