/** What every browser test shares: an adult visitor, a console that must stay clean, axe. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test as base, expect, type APIRequestContext, type Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import type { VideosAnswer } from '../src/api/types';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Fixtures {
  /** Sets cookies before the first page; every visitor is past the age gate unless told. */
  visitor: (cookies: { lang?: string; adult?: boolean }) => Promise<void>;
  /** Whether the notice about cookies has still to be read. */
  notice: boolean;
  /** Console errors a test brings about on purpose. */
  expected: RegExp[];
  consoleGuard: undefined;
}

export const test = base.extend<Fixtures>({
  expected: [[], { option: true }],
  notice: [false, { option: true }],
  visitor: async ({ context, baseURL, notice }, use) => {
    const url = baseURL ?? '';
    if (!notice) {
      await context.addInitScript(() => {
        // Frames that hold something else have no storage.
        if (location.protocol.startsWith('http')) localStorage.setItem('lantern.cookies', 'true');
      });
    }
    const set = async ({ lang, adult = true }: { lang?: string; adult?: boolean }) => {
      await context.clearCookies();
      if (adult) await context.addCookies([{ name: 'age_agreed', value: '1', url }]);
      if (lang) await context.addCookies([{ name: 'app_lang', value: lang, url }]);
    };
    await set({});
    await use(set);
  },
  consoleGuard: [
    async ({ page, visitor: _visitor, expected }, use) => {
      const errors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      page.on('pageerror', (error) => errors.push(error.message));
      await use(undefined);
      const unexpected = errors.filter((text) => !expected.some((known) => known.test(text)));
      expect(unexpected, 'console errors').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Cards of the list on the page. */
export const cards = (page: Page) => page.locator('main article h3 a');

/** Waits until a list has been drawn for the state in the address. */
export async function listed(page: Page): Promise<void> {
  await expect(page.locator('section[aria-busy="false"] article').first()).toBeVisible();
}

/** The page has no accessibility violation axe knows of. */
export async function expectAccessible(page: Page): Promise<void> {
  // Half-way through a fade colours are not the ones meant.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((a) => a.effect?.getComputedTiming().iterations !== Infinity)
        .map((a) => a.finished),
    ),
  );
  await page.evaluate(axeSource);
  const found = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run: (options: object) => Promise<AxeResults> } }).axe.run({
      resultTypes: ['violations'],
    }),
  );
  const told = found.violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => `${html}\n${failureSummary ?? ''}`),
  }));
  expect(told).toEqual([]);
}

/** The newest videos in a language, straight from the API, to have real words to look for. */
export async function newestVideos(
  request: APIRequestContext,
  lang: string,
): Promise<VideosAnswer['videos']> {
  const path = `/api/json/videos2/3600/str/latest-updates/100/all..1.all.all.all.json?lang=${lang}`;
  const answer = await request.get(path);
  expect(answer.ok()).toBe(true);
  return ((await answer.json()) as VideosAnswer).videos;
}
