import { defineConfig } from '@playwright/test';

/** Tests run against a real Lantern with the 5,000 demo videos. The caller sets its address here. */
const baseURL = process.env.BASE_URL ?? 'http://127.0.0.1:8080/';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Allows playback that a key starts, without a mouse click.
  '--autoplay-policy=no-user-gesture-required',
];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // A test that passes only on retry is a broken test.
  retries: 0,
  // Browser and site wait for each other a fifth of the time, so this is one worker more than the usual number of cores.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // This is far above any test's needs: on a busy machine, each test takes several times as long and should still pass. The test for a
  // video's whole life cycle takes 80 s on an idle machine.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  projects: [
    // This comes first, because starting that site takes longest. It runs in one worker, which keeps the site running.
    { name: 'own site', testMatch: 'own-site/**', fullyParallel: false, workers: 1 },
    { name: 'shared site', testIgnore: ['own-site/**', 'looks/**', 'browsers/**'] },
  ],
  use: {
    baseURL,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // Tracing every test doubled the duration of the run, mostly because of screenshots. Only a failed test keeps a screenshot of the page.
    // `./dev e2e --trace retain-on-failure` records traces.
    screenshot: 'only-on-failure',
    // Skips animations. Tests about motion enable them.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS },
  },
});
