/** Fixtures for all browser tests: an adult visitor, a console that must stay clean, and axe. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  test as base,
  expect,
  type APIRequestContext,
  type BrowserContext,
  type Page,
} from '@playwright/test';
import type { AxeResults } from 'axe-core';
import type { VideosAnswer } from '../src/api/types';
import { SHARED } from './mails';
import { passAgeGate, join, type Somebody } from './members';

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Fixtures {
  /** Sets cookies before the first page. By default, the visitor has passed the age gate. */
  visitor: (cookies: { lang?: string; adult?: boolean }) => Promise<void>;
  /** Opens a browser for a first-time visitor. */
  newGuest: () => Promise<Page>;
  /** Opens a browser for a new, logged-in member. */
  newMember: () => Promise<Somebody>;
  /** Whether the cookie notice is shown, i.e. not dismissed in advance. */
  notice: boolean;
  /** Data folder of the site. */
  data: string;
  /** Whether the app loads at all. */
  hasApp: boolean;
  /** Console errors that the test provokes. */
  expected: RegExp[];
  /** Console errors of all browsers in the test. */
  errors: string[];
  consoleGuard: undefined;
}

/** Dismisses the cookie notice, and records console errors on each page. */
async function prepare(context: BrowserContext, errors: string[], notice = false): Promise<void> {
  context.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => errors.push(error.error().message));
  if (notice) return;
  await context.addInitScript(() => {
    // Frames with other content have no storage.
    if (!location.protocol.startsWith('http')) return;
    localStorage.setItem('lantern.cookies', 'true');
    localStorage.setItem('lantern.ads', 'false');
  });
}

/** Makes each navigation wait until the app has replaced the server-rendered page, because their links and headings look alike. */
function awaitApp(page: Page): void {
  for (const name of ['goto', 'reload'] as const) {
    const load = page[name].bind(page) as (...given: unknown[]) => ReturnType<Page['goto']>;
    page[name] = async (...given: unknown[]) => {
      const answer = await load(...given);
      await expect(page.locator('.plain')).toHaveCount(0);
      return answer;
    };
  }
}

export const test = base.extend<Fixtures>({
  expected: [[], { option: true }],
  hasApp: [true, { option: true }],
  notice: [false, { option: true }],
  data: [SHARED, { option: true }],
  errors: async ({}, use) => {
    await use([]);
  },
  visitor: async ({ context, baseURL, notice, errors, hasApp }, use) => {
    const url = baseURL ?? '';
    if (hasApp) context.on('page', awaitApp);
    await prepare(context, errors, notice);
    const set = async ({ lang, adult = true }: { lang?: string; adult?: boolean }) => {
      await context.clearCookies();
      if (adult) await passAgeGate(context, url);
      if (lang) await context.addCookies([{ name: 'app_lang', value: lang, url }]);
    };
    await set({});
    await use(set);
  },
  newGuest: async ({ browser, baseURL, errors }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      opened.push(context);
      context.on('page', awaitApp);
      await prepare(context, errors);
      await passAgeGate(context, baseURL);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
  newMember: async ({ newGuest, data }, use) => {
    await use(async () => join(await newGuest(), data));
  },
  consoleGuard: [
    // This does not use the `page` fixture, because not every test needs the page that Playwright opens.
    async ({ visitor: _visitor, expected, errors }, use) => {
      await use(undefined);
      const unexpected = errors.filter((text) => !expected.some((known) => known.test(text)));
      expect(unexpected, 'console errors').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The cards in the page's list. */
export const cards = (page: Page) => page.locator('main article h3 a');

/** Waits until the list for the current address is rendered. */
export async function listed(page: Page): Promise<void> {
  await expect(page.locator('section[aria-busy="false"] article').first()).toBeVisible();
}

/** Asserts that axe finds no accessibility violation. */
export async function expectAccessible(page: Page): Promise<void> {
  // Colors are wrong during a transition, and one transition may start when another ends. So wait for two frames without any.
  await page.evaluate(async () => {
    const fades = () =>
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
    for (let still = 0; still < 2; still = fades().length > 0 ? 0 : still + 1) {
      await Promise.allSettled(fades().map(({ finished }) => finished));
      await new Promise(requestAnimationFrame);
    }
  });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
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

/** Runs the check in both themes, one after the other, on the same page. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}

/** Returns the newest videos in a language from the API, so that tests can search for real words. */
export async function newestVideos(
  request: APIRequestContext,
  lang: string,
): Promise<VideosAnswer['videos']> {
  const path = `/api/json/videos2/3600/str/latest-updates/100/all..1.all.all.all.json?lang=${lang}`;
  const answer = await request.get(path);
  expect(answer.ok()).toBe(true);
  return ((await answer.json()) as VideosAnswer).videos;
}

/** Opens one of the newest videos. Each test chooses a different one. Returns its title. */
export async function openCard(page: Page, at: number): Promise<string> {
  await page.goto('/videos/latest-updates/1/');
  await listed(page);
  const title = (await cards(page).nth(at).textContent()) ?? '';
  await cards(page).nth(at).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await expect(page.getByRole('button', { name: 'Favourite', exact: true })).toBeVisible();
  return title;
}
