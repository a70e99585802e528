import { defineConfig } from '@playwright/test';

/** Tests run against a real Lantern with the 5,000 demo videos; whoever starts it names it here. */
const baseURL = process.env.BASE_URL ?? 'http://127.0.0.1:8080/';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Playing must not need a hand on the mouse where a key starts it.
  '--autoplay-policy=no-user-gesture-required',
];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // A test that passes the second time is a broken test.
  retries: 0,
  // Browsers and the site wait for each other a fifth of their time: one more than there are cores where tests mostly run.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // Far more than any test needs: on a busy machine each takes several times as long, and passes. A film's whole way takes 80 s
  // where nothing else runs.
  timeout: 600_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  projects: [
    // First, because starting that site takes longest; by one worker, which keeps it.
    { name: 'own site', testMatch: 'own-site/**', fullyParallel: false, workers: 1 },
    { name: 'shared site', testIgnore: ['own-site/**', 'looks/**', 'browsers/**'] },
  ],
  use: {
    baseURL,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    // A recording of every test doubled the work of the run, most of it for its pictures; a failed test leaves what the page
    // showed. `./dev e2e --trace retain-on-failure` records.
    screenshot: 'only-on-failure',
    // Nobody watches: what moves is there at once. Tests about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS },
  },
});
