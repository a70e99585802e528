/** Tests that client-side navigation produces the same document head as requesting the page from the server. */
import type { Page } from '@playwright/test';
import { cards, expect, listed, newestVideos, test } from './fixtures';

interface Head {
  lang: string;
  title: string;
  facts: string[];
  data: unknown;
}

/** Returns the title, descriptions, canonical address, languages, previews and structured data. */
const headOf = (page: Page, from: 'app' | 'server'): Promise<Head> =>
  page.evaluate(async (from) => {
    const parse = async () => {
      const response = await fetch(location.href, { headers: { accept: 'text/html' } });
      return new DOMParser().parseFromString(await response.text(), 'text/html');
    };
    const shown = from === 'app' ? document : await parse();
    const nodes = shown.head.querySelectorAll(
      'meta[name=description], meta[name=robots], meta[property], meta[name^="twitter:"],' +
        'link[rel=canonical], link[rel=alternate], link[rel=prev], link[rel=next]',
    );
    const data = shown.querySelectorAll('script[type="application/ld+json"]');
    return {
      lang: shown.documentElement.lang,
      title: shown.title,
      facts: [...nodes].map((node) => node.outerHTML),
      data: [...data].map((script) => JSON.parse(script.textContent) as unknown),
    };
  }, from);

/** The head is read twice, and a view in between would change it, so no views are reported. */
test.beforeEach(async ({ page }) => {
  await page.route('**/api/stat.php', (route) => route.fulfill({ json: { ok: 1 } }));
});

async function expectServerHead(page: Page): Promise<Head> {
  const server = await headOf(page, 'server');
  await expect.poll(() => headOf(page, 'app')).toEqual(server);
  return server;
}

/** Navigates in the same way as a link in the app. */
const go = (page: Page, path: string) =>
  page.evaluate((path) => history.pushState(null, '', path), path);

const canonical = ({ facts }: Head) => facts.find((fact) => fact.includes('"canonical"')) ?? '';

test('clicking through the site', async ({ page }) => {
  await page.goto('/');
  const heads = [await expectServerHead(page)];
  const follow = async (click: () => Promise<void>, path: RegExp) => {
    await click();
    await expect(page).toHaveURL(path);
    await expect(page.locator('main h1').first()).toBeVisible();
    heads.push(await expectServerHead(page));
  };
  const nav = page.getByRole('navigation', { name: 'Main navigation' });
  await follow(() => nav.getByRole('link', { name: 'Categories' }).click(), /\/categories\/$/);
  await follow(() => page.locator('main li a').first().click(), /latest-updates\/1\/$/);
  await listed(page);
  await follow(() => page.getByRole('link', { name: 'Next page' }).click(), /latest-updates\/2\/$/);
  await listed(page);
  await follow(() => page.getByLabel('HD only').check(), /latest-updates\/1\/\?type=hd$/);
  await listed(page);
  // The first videos are avoided: other tests watch them, and the view count is in the head.
  await follow(() => cards(page).last().click(), /\/videos\/\d+\//);
  await follow(() => page.goBack().then(() => undefined), /type=hd$/);
  const told = heads.map(canonical);
  expect(new Set(told).size).toBe(told.length - 1);
});

test.describe('every kind of address', () => {
  // The test itself requests it, to compare both.
  test.use({ expected: [/status of 404/] });

  test('has the same head as from the server', async ({ page, request }) => {
    // The first videos are avoided: other tests watch them, and the view count is in the head.
    const video = (await newestVideos(request, 'en')).at(-1);
    await page.goto('/videos/longest/1/');
    await listed(page);
    for (const path of [
      '/models/alphabet/1/?tattoo=no',
      '/videos/top-rated/3/?utm_source=x',
      `/videos/${String(video?.video_id)}/another-name/?start_time=1`,
      '/top-country/1/?country=JP',
      '/search/1/?s=night+market&sort=longest',
      '/search/1/',
      '/videos/longest/1/?lang=ja',
      '/videos/longest/1/',
      '/albums/top-rated/2/',
      '/albums/top-rated/1/?gender=gay',
      '/models/alphabet/1/?gender=gay',
      '/categories/travel/longest/1/?gender=gay',
      '/categories/?gender=she',
      '/sitemap-page/?gender=she',
      '/community/most-viewed/1/?country=JP',
      '/album/1/another-name/',
      '/playlist/1/1/',
      '/community/alphabet/2/?avatar=yes',
      '/members/1/',
      '/members/1/wall/2/',
      '/members/2/info/',
      '/?gender=gay',
      '/videos/most-popular/9999/',
      '/nothing/here/',
      '/',
    ]) {
      await go(page, path);
      const { facts, lang } = await expectServerHead(page);
      const kept = facts.some((fact) => fact.includes('hreflang="x-default"'));
      expect(kept, path).toBe(!/search|nothing|tattoo|9999|avatar|most-viewed/.test(path));
      expect(lang, path).toBe(path.includes('lang=ja') ? 'ja' : 'en');
    }
  });
});

test('the app and the server give a page the same title', async ({ page, visitor }) => {
  await visitor({ lang: 'de' });
  await page.goto('/information/terms/');
  // Screen readers announce the app's title, while the document's title comes from the server.
  const announced = page.locator('.sr-only[aria-live="polite"][aria-atomic="true"]').first();
  for (const path of [
    '/moderate/',
    '/download/',
    '/top-country/1/?country=HK',
    '/saved-searches/',
    '/muted/',
    '/videos/history/2/',
    '/restore-password/',
    '/information/support/',
  ]) {
    await go(page, path);
    const { title, lang } = await headOf(page, 'server');
    expect(lang, path).toBe('de');
    await expect(announced, path).toHaveText(title.replace(' · Lantern', ''));
  }
});

test('a model, by page and by tab', async ({ page }) => {
  await page.goto('/models/count-videos/1/');
  await cards(page).first().click();
  await expect(page).toHaveURL(/\/model\/[^/]+\/$/);
  await listed(page);
  await expectServerHead(page);
  const path = new URL(page.url()).pathname;
  for (const child of ['info/', 'videos/2/?sort=longest', '']) {
    await go(page, path + child);
    const { title } = await expectServerHead(page);
    expect(title).toContain('Lantern');
  }
});

test('a language set by a link lasts for its page, a chosen one stays', async ({
  page,
  visitor,
}) => {
  await visitor({ lang: 'fr' });
  await page.goto('/videos/longest/1/?lang=de');
  await listed(page);
  await expectServerHead(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await cards(page).first().click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expectServerHead(page);
  expect((await page.context().cookies()).find(({ name }) => name === 'app_lang')?.value).toBe(
    'fr',
  );
  await page.goBack();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('button', { name: /^Sprache/ }).click();
  await page.getByRole('button', { name: 'Italiano' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'it');
  await expectServerHead(page);
});

test.describe('when the server is unavailable', () => {
  test.use({ expected: [/net::ERR_FAILED/] });

  test('the head of the previous page is cleared', async ({ page }) => {
    await page.goto('/videos/longest/1/');
    await listed(page);
    await page.route('**/categories/', (route) => route.abort());
    await go(page, '/categories/');
    await expect(page.locator('head link[rel=canonical]')).toHaveCount(0);
    await expect(page).toHaveTitle('Categories · Lantern');
  });
});
