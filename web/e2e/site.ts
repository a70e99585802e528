/** Starts a separate Lantern for tests that need other settings or change shared data. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as base } from './fixtures';

export interface Site {
  address: string;
  /** The site's data folder. */
  data: string;
  /** Runs the program on this data, as the site's operator would, and returns its output. */
  operate: (...args: string[]) => string;
  /** Restarts the program at the same address. */
  restart: () => Promise<void>;
}

/** Limits that differ from the defaults, so that a test fails if the app has hard-coded any. */
export const SETTINGS = {
  SERVER__COOKIE_DOMAIN: 'tube.localhost',
  // A client that forwards another address gets the limits of that address.
  SERVER__TRUSTED_PROXIES: '["127.0.0.1/32"]',
  ACCOUNTS__PASSWORD_MAX: '40',
  PICTURES__MAX_BYTES: '7000000',
  // Makes links expire during playback.
  MEDIA__LINK_SECONDS: '12',
  // Makes a restart not wait for slow uploads.
  SERVER__SHUTDOWN_GRACE: '1',
  // Players choose between two sets of renditions.
  FILMS__SECOND_CODEC: 'av1',
  // Any disk has room for these videos.
  UPLOADS__RESERVE_BYTES: '0',
  // The wait is short and differs from the default.
  DOWNLOADS__MEMBER_WAIT: '2',
  LISTING__MAX_CATEGORIES: '4',
  LISTING__SIDEBAR_MIN_VIDEOS: '60',
  LISTING__SIDEBAR_MIN_PERCENT: '100',
  LIMITS__SEARCH__BURST: '2',
  LIMITS__SEARCH__CELLS: '1',
  LIMITS__SEARCH__PER_SECONDS: '3600',
  // Advertisements are not shown without consent.
  ADS__SPONSOR__WIDE: 'https://ads.example/?size={width}x{height}&lang={lang}',
  ADS__UNDER_PLAYER_PERCENT: '0',
  ADS__PAGE__WIDE: 'https://ads.example/?page',
  OFFERS__TRENDING: 'true',
  OFFERS__PARTNERS: '[{name="A partner",url="https://partner.example/"}]',
  OFFERS__PREMIUM__URL: 'https://pay.example/',
  OFFERS__SUGGESTION__NAME: 'Another site',
  OFFERS__SUGGESTION__URL: 'https://another.example/',
  PAGE_VIEWS__COUNT: 'true',
  PAGE_VIEWS__CAMPAIGNS: '["summer"]',
  PAGE_VIEWS__FLUSH_SECONDS: '1',
};
const VIDEOS = '1000';
/** How long seeding and indexing may take, including the wait for both cores. */
const START_MS = 600_000;

const program = process.env.LANTERN_BINARY ?? '../target/release/lantern';

async function start(data: string, port = '0') {
  const env = { ...process.env };
  for (const [key, value] of Object.entries(SETTINGS)) env[`LANTERN__${key}`] = value;
  env.LANTERN__SEARCH__LISTEN = '127.0.0.1:0';
  env.LANTERN__SERVER__MONITOR_LISTEN = '127.0.0.1:0';
  const args = ['up', '--port', port, '--seed-videos', VIDEOS, '--data-dir', data];
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      log += chunk.toString();
      const ready = /Lantern is ready at (http:\/\/\S+)/.exec(log)?.[1];
      if (ready) resolve(ready);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`lantern exited before it was ready:\n${log}`)));
  });
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { address, stop };
}

export const test = base.extend<object, { site: Site }>({
  site: [
    async ({}, use) => {
      const data = mkdtempSync(join(tmpdir(), 'lantern-site-'));
      // Under root, Postgres runs as its own user, who must be able to enter the folder.
      chmodSync(data, 0o755);
      let running = await start(join(data, 'data'));
      const { address } = running;
      await use({
        address,
        restart: async () => {
          await running.stop();
          running = await start(join(data, 'data'), new URL(address).port);
        },
        data: join(data, 'data'),
        operate: (...args) =>
          execFileSync(program, ['--data-dir', join(data, 'data'), ...args]).toString(),
      });
      await running.stop();
      rmSync(data, { recursive: true });
    },
    { scope: 'worker', timeout: START_MS },
  ],
  baseURL: async ({ site }, use) => {
    await use(site.address);
  },
  data: async ({ site }, use) => {
    await use(site.data);
  },
});

export { expect } from './fixtures';
