/**
 * Visits every screen: there must be no console errors, missing texts, axe violations, overflow, or work while idle. The pages of
 * albums, playlists and members must come with all their data.
 */
import type { Page } from '@playwright/test';
import { LANGS } from '../../src/lib/audience';
import { expect, expectAccessible, test } from '../fixtures';
import { enter } from '../members';
import { idleWork, countWork, moving } from '../rest';
import { missingTexts } from './missing-texts';
import { OWN, ROUTES } from './routes';

/** By default, each screen is visited in one language, axe checks it in one theme, and each language covers some of the screens. */
const isWhole = process.env.LANTERN_WALK === 'whole';
const WIDTHS = [1440, 1280, 1024, 768, 390, 320];
/** The windows and themes that axe checks. */
const AXE: [number, 'dark' | 'light'][] = [
  [1440, 'dark'],
  [390, 'light'],
];

/** Pages that request no further data for a guest. */
const COMPLETE = /^\/(albums?|playlists?|community|members|videos\/history)\//;

/** Collects paths of API calls from now on. Reports, such as a view's, are not missing data. */
function calls(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'GET' && pathname.startsWith('/api/')) asked.push(pathname);
  });
  return asked;
}

/** Returns a language's routes, each with what axe checks. */
const shareOf = (routes: string[], at: number) =>
  routes
    .filter((_, index) => isWhole || index % LANGS.length === at)
    .map(
      (path, index) =>
        [path, new Map(AXE.filter((_, design) => isWhole || design === index % 2))] as const,
    );

async function look(page: Page, path: string, lang: string, axe: Map<number, 'dark' | 'light'>) {
  // The previous screen and its open parts need not fit into another window.
  await page.goto('about:blank');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(path);
  await expect(page.locator('main h1').first(), path).toBeAttached();
  await expect(page.locator('main [aria-busy="true"]'), path).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await expect(page.locator('html'), path).toHaveAttribute('lang', lang);
  expect(await missingTexts(page), path).toEqual([]);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const reach = () => page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    await expect
      .poll(
        async () => {
          const [inner, scroll = 0] = await reach();
          return inner === width && scroll <= width;
        },
        `${path}, ${String(width)} pixels wide`,
      )
      .toBe(true);
    const colorScheme = axe.get(width);
    if (!colorScheme) continue;
    // Colors are shown without transitions.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await test.step(`${path}, ${String(width)} pixels wide`, () => expectAccessible(page));
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(() => moving(page), path).toEqual([]);
  // A player that waits for interaction has running timers.
  if (!path.startsWith('/videos/12')) await expect.poll(() => idleWork(page), path).toEqual([0, 0]);
}

test.use({
  // These come from used or truncated links.
  expected: [/status of (404|422).*\/api\/(confirm|unsubscribe|restore)/],
});

LANGS.forEach((lang, at) => {
  test(`the screens in ${lang}`, async ({ page, context, visitor }) => {
    if (isWhole) test.setTimeout(3_600_000);
    await countWork(context);
    await visitor({ lang });
    const models = await (await page.request.get('/models/most-popular/1/')).text();
    const [, model = ''] = /\/model\/([a-z0-9-]+)\//.exec(models) ?? [];
    const asked = calls(page);
    for (const [path, axe] of shareOf(Object.values(ROUTES).flat(), at)) {
      asked.length = 0;
      await look(page, path.replace('MODEL', model), lang, axe);
      if (COMPLETE.test(path)) expect(asked, path).toEqual([]);
    }

    const member = await enter(page);
    const session = (await context.cookies()).filter(({ name }) => !/^(app_lang|age)/.test(name));
    await visitor({ lang });
    await context.addCookies(session);
    for (const [path, axe] of shareOf(OWN, at))
      await look(page, path.replace('MEMBER', String(member)), lang, axe);
  });
});
