import type { Page } from '@playwright/test';
import { cards, expect, expectAccessible, expectAccessibleInBoth, listed, test } from './fixtures';

const open = async (page: Page, path: string) => {
  await page.goto(path);
  await expect(page.locator('main h1').first()).toBeAttached();
  await expect(page.locator('main [aria-busy="true"]')).toHaveCount(0);
};

test.describe('axe in dark and light themes', () => {
  test('model page', async ({ page }) => {
    await page.goto('/models/most-popular/1/');
    await listed(page);
    await cards(page).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await listed(page);
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Profile' }).click();
    await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible();
    await expectAccessibleInBoth(page);
  });

  test('video page and its dialogs', async ({ page }) => {
    await page.goto('/videos/most-popular/1/');
    await listed(page);
    await cards(page).first().click();
    await expect(page.locator('video')).toBeAttached();
    await expect(
      page.getByRole('region', { name: 'Related videos' }).locator('article').first(),
    ).toBeVisible();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Share' }).click();
    await expect(page.getByRole('dialog', { name: 'Share' })).toBeVisible();
    await expectAccessibleInBoth(page);
  });

  test('age gate', async ({ page, visitor }) => {
    await visitor({ adult: false });
    await page.goto('/');
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectAccessibleInBoth(page);
  });
});

test.describe('axe on the error page', () => {
  test.use({ expected: [/status of 404/] });
  test('page not found', async ({ page }) => {
    await open(page, '/404/');
    await expectAccessible(page);
  });
});

test('axe with suggestions and menus open', async ({ page }) => {
  await open(page, '/');
  await page.getByRole('combobox').fill('li');
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Language/ }).click();
  await expect(page.getByRole('button', { name: 'Deutsch' })).toBeVisible();
  await expectAccessible(page);
});

test('axe with a bottom sheet open on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, '/videos/latest-updates/1/');
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
});

test('skip link, and focus after navigation', async ({ page }) => {
  await open(page, '/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.getByRole('link', { name: 'Categories' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Categories' })).toBeVisible();
  await expect(page.locator('main')).toBeFocused();
});
