import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/** Runs against Firefox and WebKit as packaged by the system, where installed. */
export default defineConfig({
  ...config,
  testDir: 'e2e/browsers',
  outputDir: 'test-results/browsers',
  workers: 1,
  projects: [{ name: 'browsers' }],
});
