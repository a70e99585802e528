import { defineConfig } from '@playwright/test';
import config from './playwright.config';

/** Runs the tests in Firefox and WebKit as packaged by the system, if they are installed. */
export default defineConfig({
  ...config,
  testDir: 'e2e/browsers',
  outputDir: 'test-results/browsers',
  workers: 1,
  projects: [{ name: 'browsers' }],
});
