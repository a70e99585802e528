import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/** Pictures and outlines of the main screens, compared with those that are kept (ADR 70). */
export default defineConfig({
  ...config,
  testDir: 'e2e/looks',
  outputDir: 'test-results/looks',
  preserveOutput: 'failures-only',
  snapshotPathTemplate: '{testDir}/kept/{arg}{ext}',
  // Without this a first run would write what it should have compared.
  updateSnapshots: 'none',
  projects: [{ name: 'looks' }],
  use: {
    ...config.use,
    screenshot: 'off',
    launchOptions: {
      ...config.use?.launchOptions,
      args: [
        ...(config.use?.launchOptions?.args ?? []),
        // Letters stand where their typeface says, whatever the system's settings are.
        '--font-render-hinting=none',
        '--disable-lcd-text',
      ],
    },
  },
});
