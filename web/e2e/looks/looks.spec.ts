/** Compares the main screens with their approved state: small screenshots and accessibility outlines. */
import { writeFileSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import { cards, expect, listed, newestVideos, test } from '../fixtures';
import { enter } from '../members';
import { inKnownLetters, setScene, withoutData } from './scene';
import { SCREENS, type Screen } from './screens';
import { shrink } from './shrink';

/** The height exceeds usual windows, to include what is below the fold. */
const height = 1620;
/** The windows, with the factor by which screenshots are scaled down in each direction. */
const WINDOWS = [
  { window: { viewport: { width: 1440, height } }, by: 4 },
  { window: { viewport: { width: 390, height }, isMobile: true, hasTouch: true }, by: 3 },
];
/** Tolerance for rendering differences between machines: a tenth of the perceptible difference per pixel. 0.1% of pixels may exceed it. */
const LIMITS = { threshold: 0.1, maxDiffPixelRatio: 0.001 };
/** How long the parts that render last may take on any machine. */
const DRAWN_MS = 20_000;

async function addressOf(page: Page, { path, own }: Screen): Promise<string> {
  if (own) return path.replace('MEMBER', String(await enter(page)));
  if (!path.includes('MODEL')) return path;
  await page.goto('/models/most-popular/1/');
  await listed(page);
  const href = (await cards(page).first().getAttribute('href')) ?? '';
  return path.replace('MODEL', href.replace(/^\/models?\/|\/.*$/g, ''));
}

/** Waits until the screen is complete. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator('main h1').first()).toBeAttached();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
}

/** Compares a screenshot with the approved one. It may retry, because some parts render a moment later. */
async function look(small: () => Promise<Buffer>, name: string, info: TestInfo): Promise<void> {
  if (info.config.updateSnapshots === 'none') {
    const compare = async () => expect(await small()).toMatchSnapshot(name, LIMITS);
    await expect.soft(compare).toPass({ timeout: DRAWN_MS });
    return;
  }
  let last = await small();
  const stands = async () => {
    const before = last;
    last = await small();
    return before.equals(last);
  };
  await expect.poll(stands, { intervals: [500] }).toBe(true);
  expect.soft(last).toMatchSnapshot(name, LIMITS);
}

for (const { window, by } of WINDOWS) {
  const { width } = window.viewport;
  test.describe(`${String(width)} pixels wide`, () => {
    test.use(window);
    for (const screen of SCREENS) {
      test(screen.name, async ({ page, context, request }, info) => {
        await setScene(context);
        // Page views would be counted, so they are not reported here.
        await context.route('**/api/stat.php', (route) => route.fulfill({ json: { ok: 1 } }));
        const path = await addressOf(page, screen);
        // All of the demo data is at most as recent as its newest visible video.
        const [newest] = await newestVideos(request, 'en');
        await page.clock.setFixedTime(Date.parse(newest?.post_date ?? '') + 3_600_000);
        await page.goto(path);
        await settled(page);
        const desk = await context.newPage();
        for (const colorScheme of ['dark', 'light'] as const) {
          const name = `${screen.name}-${colorScheme}-${String(width)}.png`;
          await page.emulateMedia({ colorScheme });
          const small = async () => {
            await inKnownLetters(page);
            const large = await page.screenshot({ animations: 'disabled' });
            writeFileSync(info.outputPath(name), large);
            return shrink(desk, large, by);
          };
          await look(small, name, info);
        }
        await withoutData(page);
        // All screens have the same surroundings, so only one outline includes them.
        const outlined = page.locator(screen.name === 'home' ? 'body' : 'main');
        const name = `${screen.name}-${String(width)}.aria.yml`;
        await expect.soft(outlined).toMatchAriaSnapshot({ name, timeout: DRAWN_MS / 4 });
      });
    }
  });
}
