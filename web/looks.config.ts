import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/** Compares the main screens with their approved screenshots and outlines (ADR 70). */
export default defineConfig({
  ...config,
  testDir: 'e2e/looks',
  outputDir: 'test-results/looks',
  preserveOutput: 'failures-only',
  snapshotPathTemplate: '{testDir}/kept/{arg}{ext}',
  // Otherwise, a first run would create the files that it should compare with.
  updateSnapshots: 'none',
  projects: [{ name: 'looks' }],
  use: {
    ...config.use,
    screenshot: 'off',
    launchOptions: {
      ...config.use?.launchOptions,
      args: [
        ...(config.use?.launchOptions?.args ?? []),
        // Positions glyphs as the typeface specifies, whatever the system settings.
        '--font-render-hinting=none',
        '--disable-lcd-text',
      ],
    },
  },
});
