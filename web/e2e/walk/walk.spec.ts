/**
 * A walk over every screen: nothing is wrong in the console, no text is missing, axe finds nothing, nothing reaches beyond the window,
 * and a page that is left alone does nothing.
 */
import type { Page } from '@playwright/test';
import { LANGS } from '../../src/lib/audience';
import { expect, expectAccessible, test } from '../fixtures';
import { enter } from '../members';
import { atWork, countWork, moving } from '../rest';
import { missingTexts } from './missing-texts';
import { OWN, ROUTES } from './routes';

/** Otherwise each screen is looked at in one of the languages, and each language on some of the screens. */
const isWhole = process.env.LANTERN_WALK === 'whole';
const WIDTHS = [1440, 1280, 1024, 768, 390, 320];
/** In the first of these windows dark, in the other light. */
const HEARD = new Map([
  [1440, 'dark'],
  [390, 'light'],
] as const);

const shareOf = (routes: string[], at: number) =>
  routes.filter((_, index) => isWhole || index % LANGS.length === at);

async function look(page: Page, path: string, lang: string) {
  // The screen before, and what is open on it, isn't asked to fit another window.
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
    const colorScheme = HEARD.get(width as 1440);
    if (!colorScheme) continue;
    // Colours are there at once.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await test.step(`${path}, ${String(width)} pixels wide`, () => expectAccessible(page));
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await expect.poll(() => moving(page), path).toEqual([]);
  // A player that waits for a hand has clocks of its own.
  if (!path.startsWith('/videos/12')) await expect.poll(() => atWork(page), path).toEqual([0, 0]);
}

test.use({
  // Links that are used up or cut off.
  expected: [/status of (404|422).*\/api\/(confirm|unsubscribe|restore)/],
});

LANGS.forEach((lang, at) => {
  test(`the screens in ${lang}`, async ({ page, context, visitor }) => {
    if (isWhole) test.setTimeout(3_600_000);
    await countWork(context);
    await visitor({ lang });
    const models = await (await page.request.get('/models/most-popular/1/')).text();
    const [, model = ''] = /\/model\/([a-z0-9-]+)\//.exec(models) ?? [];
    for (const path of shareOf(Object.values(ROUTES).flat(), at))
      await look(page, path.replace('MODEL', model), lang);

    const member = await enter(page);
    const session = (await context.cookies()).filter(({ name }) => !/^(app_lang|age)/.test(name));
    await visitor({ lang });
    await context.addCookies(session);
    for (const path of shareOf(OWN, at))
      await look(page, path.replace('MEMBER', String(member)), lang);
  });
});
