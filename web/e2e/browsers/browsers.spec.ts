/** Tests the main screens and entry points in browsers other than Chromium. */
import { expect, test } from '@playwright/test';
import { SCREENS } from '../looks/screens';
import { DEMO } from '../members';
import { Driven, KINDS, missing } from './driver';

const ENTER = '\uE007';
const MODEL = `document.querySelector('main article h3 a').pathname.split('/')[2]`;
/** Evaluates to true once the app has hydrated and no request is pending. */
const SETTLED = `!document.querySelector('.plain, main [aria-busy=true]') && !!document.querySelector('main h1')`;
const WIDTHS = [500, 1280];

for (const kind of KINDS) {
  test.describe(kind.name, () => {
    let browser: Driven;
    const lacks = missing(kind);
    test.skip(lacks !== '', `not installed: ${lacks}`);
    test.describe.configure({ mode: 'serial' });

    const open = async (baseURL: string | undefined, path: string) => {
      await browser.open(new URL(path, baseURL).href);
      await expect.poll(() => browser.run(SETTLED), path).toBe(true);
    };

    test.beforeAll(async ({ baseURL }) => {
      browser = await Driven.start(kind);
      await browser.open(new URL('/robots.txt', baseURL).href);
      await browser.setCookie('age_agreed', '1');
    });
    test.afterAll(() => browser.stop());

    for (const width of WIDTHS) {
      test(`shows the main screens at ${String(width)} pixels`, async ({ baseURL }) => {
        await browser.resize(width, 900);
        await open(baseURL, '/models/most-popular/1/');
        const model = await browser.run<string>(MODEL);
        for (const { path } of SCREENS.filter(({ own }) => !own)) {
          await open(baseURL, path.replace('MODEL', model));
          const troubles = await browser.run(`document.querySelectorAll('[role=alert]').length`);
          expect(troubles, path).toBe(0);
          const reach = await browser.run<number>(
            'document.documentElement.scrollWidth - innerWidth',
          );
          expect(reach, path).toBeLessThanOrEqual(0);
        }
      });
    }

    test('searches', async ({ baseURL }) => {
      await open(baseURL, '/');
      await browser.type('header [role=combobox]', `night${ENTER}`);
      await expect.poll(() => browser.run('location.pathname')).toBe('/search/1/');
      const hits = () => browser.run(`document.querySelectorAll('main article').length`);
      await expect.poll(hits).toBe(60);
    });

    test('plays', async ({ baseURL }) => {
      await open(baseURL, '/videos/12/');
      await browser.click('.lantern-big-play');
      const position = () => browser.run<number>(`document.querySelector('video').currentTime`);
      await expect.poll(position).toBeGreaterThan(0.5);
    });

    test('logs in', async ({ baseURL }) => {
      await open(baseURL, '/signin/');
      await browser.type('main [name=usr]', DEMO.usr);
      await browser.type('main [name=pwd]', `${DEMO.pwd}${ENTER}`);
      // There is no header between the two pages.
      await expect
        .poll(() => browser.run(`document.querySelector('header')?.innerText ?? ''`))
        .toContain(DEMO.usr);
    });
  });
}
