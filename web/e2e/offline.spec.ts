/** Tests that an offline page says so, remembers the request, and continues once the connection is back. */
import { cards, expect, listed, test } from './fixtures';

test.use({
  // React logs #520 if a second attempt to render succeeded.
  expected: [/ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED)|dynamically imported module|#520/],
});

test('a filter, a screen and a vote while offline', async ({ page, context }) => {
  // The code and texts for messages load when the browser is idle.
  const ofMessages = Promise.all([
    page.waitForResponse(/\/assets\/toaster-/, { timeout: 0 }),
    page.waitForResponse(
      async (answer) =>
        answer.url().includes('/assets/en-') && (await answer.text()).includes('vote_success'),
      { timeout: 0 },
    ),
  ]);
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  await ofMessages;
  // Wait until no request is pending that going offline could abort.
  await page.waitForLoadState('networkidle');
  const all = await page.getByRole('status').textContent();
  const problem = page.getByRole('alert');
  const messages = page.getByRole('region', { name: /^Notifications/ });

  await context.setOffline(true);
  await page.getByText('Over 30 minutes').click();
  await expect(page.getByRole('radio', { name: 'Over 30 minutes' })).toBeChecked();
  await expect(problem).toContainText('You are offline');
  await context.setOffline(false);
  await listed(page);
  await expect(page).toHaveURL(/\?duration=long$/);
  await expect(page.getByRole('status')).toHaveText(/\d videos$/);
  expect(await page.getByRole('status').textContent()).not.toBe(all);

  await context.setOffline(true);
  await page.getByRole('banner').getByRole('link', { name: 'Categories' }).click();
  await expect(problem).toContainText('You are offline');
  await context.setOffline(false);
  await expect(page.locator('main li a').first()).toBeVisible();
  await expect(page).toHaveURL(/\/categories\/$/);

  const styles = page.waitForResponse(/\/assets\/player-.*\.css$/, { timeout: 0 });
  await page.goto('/videos/14/');
  const like = page.getByRole('button', { name: /^Like: / }).first();
  await expect(like).toBeVisible();
  // Make sure that the code is loaded before anything can fail.
  await page.waitForFunction(
    (urls) => urls.every((url) => performance.getEntriesByName(url).length > 0),
    (await ofMessages).map((answer) => answer.url()),
    { timeout: 0 },
  );
  const before = await like.textContent();
  // On a busy machine, the player's styles may load after a pause without requests.
  await (await styles).finished();
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await like.click();
  await expect(messages.getByRole('button')).toHaveText('You are offline');
  await expect(like).toHaveText(before ?? '');
  await context.setOffline(false);
});

test('a part still loading when the connection is lost appears once it is back', async ({
  page,
  context,
}) => {
  const watched = page.getByRole('checkbox', { name: 'Hide watched videos' });
  const save = page.getByRole('button', { name: 'Save search' });
  // One part needs code, the other needs texts.
  for (const [file, words, part] of [
    ['hide-watched', '', watched],
    ['en', 'Search saved', save],
  ] as const) {
    let isBack = false;
    await page.route(`**/assets/${file}-*.js`, async (route) => {
      const answer = await route.fetch();
      if (isBack || !(await answer.text()).includes(words)) {
        await route.fulfill({ response: answer });
        return;
      }
      await context.setOffline(true);
      await route.abort('internetdisconnected');
    });
    const failed = page.waitForEvent('requestfailed', (request) =>
      request.url().includes(`/assets/${file}-`),
    );
    await page.goto('/videos/most-popular/1/');
    await expect.poll(() => page.evaluate(() => navigator.onLine)).toBe(false);
    await failed;
    await expect(page.getByText('Over 30 minutes')).toBeVisible();
    await expect(cards(page).first()).toBeVisible();
    await expect(part).toHaveCount(0);
    isBack = true;
    await context.setOffline(false);
    await expect(part).toBeVisible();
    // Otherwise, requests that are still pending would be answered after the page is closed.
    await page.unrouteAll({ behavior: 'wait' });
  }
});

test('a part whose code can’t load is left out until the next page, and the player says so', async ({
  page,
}) => {
  await page.route(/\/assets\/(footer|account-\w+|film-host)-/, (route) =>
    route.abort('connectionrefused'),
  );
  const failed = page.waitForEvent('console', (line) => /module: .*\/footer-/.test(line.text()));
  await page.goto('/videos/14/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('alert').getByRole('button', { name: 'Try again' })).toBeVisible();
  const footer = page.getByRole('navigation', { name: 'Site' });
  // If loading fails after navigation, the part is left out on the next page, too.
  await failed;
  await expect(footer).toHaveCount(0);
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('banner').getByRole('link', { name: 'Categories' }).click();
  await expect(page.locator('main li a').first()).toBeVisible();
  await expect(footer).toBeVisible();
});

test('a site failure is not reported as being offline', async ({ page }) => {
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  // Simulates a site that is restarting: the connection works, but the server refuses it.
  await page.route('**/api/json/videos2/**', (route) => route.abort('connectionrefused'));
  await page.getByText('Over 30 minutes').click();
  const problem = page.getByRole('alert');
  await expect(problem).toContainText('Check your connection and try again.');
  await expect(problem).not.toContainText('offline');
  await page.unroute('**/api/json/videos2/**');
  await problem.getByRole('button', { name: 'Try again' }).click();
  await listed(page);
  await expect(cards(page).first()).toBeVisible();
});
