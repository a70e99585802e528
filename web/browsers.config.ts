import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/** Firefox and WebKit as a system packages them, where they are installed. */
export default defineConfig({
  ...config,
  testDir: 'e2e/browsers',
  outputDir: 'test-results/browsers',
  workers: 1,
  projects: [{ name: 'browsers' }],
});
