import { cards, expect, expectAccessible, listed, test } from './fixtures';

test('the language switch keeps the page and is remembered', async ({ page }) => {
  await page.goto('/videos/top-rated/2/?duration=short');
  await listed(page);
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bestbewertet');
  await expect(page).toHaveURL(/\/videos\/top-rated\/2\/\?duration=short$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.reload();
  await listed(page);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bestbewertet');
});

test('another orientation shows other videos, and its link works for everyone', async ({
  page,
  newGuest,
}) => {
  await page.goto('/videos/most-popular/1/?duration=short');
  await listed(page);
  const straight = await cards(page).allTextContents();
  await page.getByText('Gay', { exact: true }).click();
  await expect(cards(page).first()).not.toHaveText(straight[0] ?? '');
  await listed(page);
  await expect(page.getByRole('radio', { name: 'Gay' })).toBeChecked();
  await expect(page).toHaveURL(/\/videos\/most-popular\/1\/\?duration=short&gender=gay$/);
  const shown = await cards(page).allTextContents();

  const other = await newGuest();
  await other.goto(page.url());
  await listed(other);
  expect(await cards(other).allTextContents()).toEqual(shown);
  // Further pages keep the orientation in the address and in links.
  const next = other.getByRole('link', { name: 'Page 2', exact: true });
  await expect(next).toHaveAttribute('href', /\/2\/\?duration=short&gender=gay$/);
  await next.click();
  await expect(other).toHaveURL(/\/2\/\?duration=short&gender=gay$/);
  await expect(cards(other).first()).not.toHaveText(shown[0] ?? '');
  await expect(other.getByRole('radio', { name: 'Gay' })).toBeChecked();
  await other.getByText('Straight', { exact: true }).click();
  await expect(other).toHaveURL(/\/videos\/most-popular\/2\/\?duration=short$/);
});

test('the age gate comes before everything', async ({ page, visitor }) => {
  await visitor({ adult: false });
  const calls: string[] = [];
  page.on('request', (request) => {
    if (/\/(api|media)\//.test(request.url())) calls.push(request.url());
  });
  await page.goto('/videos/latest-updates/1/');
  const gate = page.getByRole('dialog', { name: 'This site is for adults only' });
  await expect(gate).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await expect(gate).toBeVisible();
  for (let step = 0; step < 6; step += 1) {
    await page.keyboard.press('Tab');
    expect(await gate.evaluate((node) => node.contains(document.activeElement))).toBe(true);
  }
  await expect(page.locator('main')).toHaveCount(0);
  expect(calls).toEqual([]);
  await gate.getByRole('button', { name: /^I am 18 or older/ }).click();
  await listed(page);
  await page.reload();
  await listed(page);
  await expect(gate).toHaveCount(0);
});

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('filters open in a bottom sheet', async ({ page }) => {
    await page.goto('/videos/latest-updates/1/');
    await listed(page);
    await expect(page.getByRole('complementary', { name: 'Filters' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Filters' }).tap();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    const show = sheet.getByRole('button', { name: /^Show [\d,]+ results?$/ });
    const unfiltered = (await show.textContent()) ?? '';
    await sheet.getByRole('radio', { name: 'Under 10 minutes' }).check();
    await expect(page).toHaveURL(/\?duration=short$/);
    await expect(show).not.toHaveText(unfiltered);
    const count = /[\d,]+/.exec((await show.textContent()) ?? '')?.[0] ?? '';
    await show.tap();
    await expect(sheet).toHaveCount(0);
    await expect(page.getByRole('status')).toHaveText(new RegExp(`^${count} videos?$`));
    await expect(page.getByRole('button', { name: 'Remove Under 10 minutes' })).toBeVisible();
  });

  test('the menu navigates and closes', async ({ page }) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Menu' }).tap();
    const menu = page.getByRole('dialog', { name: 'Menu' });
    await menu.getByRole('link', { name: 'Alphabetical' }).tap();
    await expect(page).toHaveURL(/\/models\/alphabet\/1\/$/);
    await expect(menu).toHaveCount(0);
  });

  test('the bottom bar navigates, and the footer is short', async ({ page }) => {
    await page.goto('/videos/top-rated/1/');
    await listed(page);
    const bar = page.getByRole('navigation', { name: 'Shortcuts' });
    await bar.getByRole('link', { name: 'Models' }).tap();
    await expect(page).toHaveURL(/\/models\/most-popular\/1\/$/);
    await expect(bar.getByRole('link', { name: 'Models' })).toHaveAttribute('aria-current', 'page');
    const tags = page.getByRole('contentinfo').locator('details');
    await tags.scrollIntoViewIfNeeded();
    await expect(tags.getByRole('link')).toHaveCount(0);
    await tags.getByText('Popular searches').tap();
    await expect(tags.getByRole('link').first()).toBeVisible();
    // The search box is in view again, whatever the scroll position.
    await bar.getByRole('button', { name: 'Search' }).tap();
    await expect(page.getByRole('combobox')).toBeFocused();
    await expect(page.getByRole('combobox')).toBeInViewport();
    await bar.getByRole('button', { name: 'You' }).tap();
    await expect(page.getByRole('dialog', { name: 'Log in' })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expectAccessible(page);
  });
});

test.describe('missing pages', () => {
  test.use({ expected: [/status of 404/] });

  test('say so and link home', async ({ page }) => {
    const answer = await page.goto('/no/such/page/');
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the home page' }).click();
    await expect(page).toHaveURL(/\/$/);
    await expect(cards(page).first()).toBeVisible();
  });

  test('an unknown video leads to the 404 page', async ({ page }) => {
    await page.goto('/videos/999999999/nothing/');
    await expect(page).toHaveURL(/\/404\/$/);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  });

  test('an unknown model too', async ({ page }) => {
    await page.goto('/model/nobody-of-this-name/');
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  });
});

test.describe('the message region', () => {
  // A guest has one vote per day, so in a second run the vote is refused. The refusal appears in the same region.
  test.use({ expected: [/status of 409/] });

  test('is named in the language of the page', async ({ page, visitor }) => {
    await visitor({ lang: 'de' });
    await page.goto('/videos/13/');
    await page
      .getByRole('button', { name: /^Gefällt mir: / })
      .first()
      .click();
    const messages = page.getByRole('region', { name: /^Benachrichtigungen/ });
    await expect(messages.getByRole('button')).toHaveText(/Stimme|abgestimmt/);
  });
});
