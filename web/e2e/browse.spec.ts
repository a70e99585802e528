import { cards, expect, expectAccessible, listed, test } from './fixtures';

test('browse, two categories, another sort, page 2, reload, back', async ({ page }) => {
  await page.goto('/videos/');
  await expect(page).toHaveURL(/\/videos\/latest-updates\/1\/$/);
  await listed(page);

  const rail = page.getByRole('complementary', { name: 'Filters' });
  const boxes = rail.getByRole('group', { name: 'Categories' }).last().getByRole('checkbox');
  const status = page.getByRole('status');
  const all = await status.textContent();

  await boxes.nth(0).check();
  await expect(page).toHaveURL(/\/categories\/[^,/]+\/latest-updates\/1\/$/);
  await expect(status).not.toHaveText(all ?? '');
  await listed(page);
  const one = await status.textContent();

  // The first box is the selected one, and the second is the next most common.
  await boxes.nth(1).check();
  await expect(page).toHaveURL(/\/categories\/[^,/]+,[^,/]+\/latest-updates\/1\/$/);
  await expect(status).not.toHaveText(one ?? '');
  await listed(page);
  await expect(boxes.nth(0)).toBeChecked();
  await expect(boxes.nth(1)).toBeChecked();
  await expect(page.getByRole('list', { name: 'Active filters' }).getByRole('button')).toHaveCount(
    3,
  );
  const both = await status.textContent();
  const newest = await cards(page).first().textContent();

  await page.getByRole('button', { name: /^Sort by/ }).click();
  await page.getByRole('link', { name: 'Top rated' }).click();
  await expect(page).toHaveURL(/,[^/]+\/top-rated\/1\/$/);
  await listed(page);
  await expect(status).toHaveText(both ?? '');

  const pages = page.getByRole('navigation', { name: 'Pages' });
  const firstPage = await cards(page).allTextContents();
  await pages.getByRole('link', { name: 'Page 2', exact: true }).click();
  await expect(page).toHaveURL(/\/top-rated\/2\/$/);
  await expect(pages.getByRole('link', { name: 'Page 2', exact: true })).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(cards(page).first()).not.toHaveText(firstPage[0] ?? '');
  const secondPage = await cards(page).allTextContents();

  await page.reload();
  await listed(page);
  await expect(page).toHaveURL(/\/top-rated\/2\/$/);
  expect(await cards(page).allTextContents()).toEqual(secondPage);
  await expect(boxes.nth(0)).toBeChecked();

  await page.goBack();
  await expect(page).toHaveURL(/\/top-rated\/1\/$/);
  await expect(cards(page).first()).toHaveText(firstPage[0] ?? '');
  await page.goBack();
  await expect(page).toHaveURL(/\/latest-updates\/1\/$/);
  await expect(cards(page).first()).toHaveText(newest ?? '');
  await page.goForward();
  await expect(page).toHaveURL(/\/top-rated\/1\/$/);
  await expect(cards(page).first()).toHaveText(firstPage[0] ?? '');
});

test('facet counts equal the results of choosing them', async ({ page }) => {
  await page.goto('/videos/most-popular/1/');
  await listed(page);
  const rows = page
    .getByRole('complementary', { name: 'Filters' })
    .getByRole('group', { name: 'Categories' })
    .last()
    .locator('label');
  const count = await rows.nth(2).locator('span').last().textContent();
  await rows.nth(2).getByRole('checkbox').check();
  await expect(page.getByRole('status')).toHaveText(`${count ?? ''} videos`);
});

test('type to filter categories, chips, clear all', async ({ page }) => {
  await page.goto('/videos/top-rated/1/');
  await listed(page);
  const rail = page.getByRole('complementary', { name: 'Filters' });
  const rows = rail.getByRole('group', { name: 'Categories' }).last().locator('label');
  const label = await rows.nth(5).locator('span').first().textContent();
  await rail.getByRole('searchbox', { name: 'Find a category' }).fill((label ?? '').slice(0, 4));
  // The lookup is debounced while text is typed, so wait for its results before choosing.
  await expect(rows.first().locator('span').first()).toHaveText(label ?? '');
  await rail
    .getByRole('checkbox', { name: label ?? '' })
    .first()
    .check();
  await rail.getByRole('radio', { name: 'Over 30 minutes' }).check();
  await expect(page).toHaveURL(/\/categories\/.+\/top-rated\/1\/\?duration=long$/);
  const chips = page.getByRole('list', { name: 'Active filters' });
  await chips.getByRole('button', { name: 'Remove Over 30 minutes' }).click();
  await expect(page).toHaveURL(/\/top-rated\/1\/$/);
  await chips.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/\/videos\/top-rated\/1\/$/);
  await expect(chips).toHaveCount(0);
});

test('a model is found by typing and a category excluded, on any list', async ({ page }) => {
  await page.goto('/videos/top-rated/1/');
  await listed(page);
  const rail = page.getByRole('complementary', { name: 'Filters' });
  const rows = rail.getByRole('group', { name: 'Models' }).last().locator('label');
  const [name = '', total = ''] = await rows.nth(3).locator('span').allTextContents();
  await rail.getByRole('searchbox', { name: 'Find a model' }).fill(name);
  await expect(rows.first()).toHaveText(`${name}${total}`);
  await rows.first().getByRole('checkbox').check();
  await expect(page).toHaveURL(/\/videos\/top-rated\/1\/\?models=[\w-]+$/);
  // There are as many videos as the row announced, and each has the model.
  await expect(page.getByRole('status')).toHaveText(new RegExp(`^${total} `));
  const category = rail.getByRole('button', { name: /^Exclude / }).first();
  const left = ((await category.getAttribute('aria-label')) ?? '').replace('Exclude ', '');
  await category.click();
  await expect(page).toHaveURL(/\?not_categories=[\w-]+&models=[\w-]+$/);
  await expect(page.getByRole('status')).not.toHaveText(new RegExp(`^${total} `));
  await page.reload();
  await listed(page);
  await expect(rail.getByRole('checkbox', { name: left, exact: true })).toHaveCount(0);
  const chips = page.getByRole('list', { name: 'Active filters' });
  await expectAccessible(page);
  await chips.getByRole('button', { name: `Remove − ${left}` }).click();
  await chips.getByRole('button', { name: `Remove ${name}` }).click();
  await expect(page).toHaveURL(/\/videos\/top-rated\/1\/$/);
  const models = rail.getByRole('group', { name: 'Models' }).last();
  const all = await page.getByRole('status').textContent();
  const out = (await rows.first().locator('span').first().textContent()) ?? '';
  await models.getByRole('button', { name: `Exclude ${out}` }).click();
  await expect(page).toHaveURL(/\?not_models=[\w-]+$/);
  await expect(chips.getByRole('button', { name: `Remove − ${out}` })).toBeVisible();
  await expect(page.getByRole('status')).not.toHaveText(all ?? '');
  await expect(models.getByRole('checkbox', { name: out, exact: true })).toHaveCount(0);
});

test('model filters narrow the list and are kept in the address', async ({ page }) => {
  await page.goto('/models/');
  await expect(page).toHaveURL(/\/models\/most-popular\/1\/$/);
  await listed(page);
  const rail = page.getByRole('complementary', { name: 'Filters' });
  const all = await page.getByRole('status').textContent();
  await rail.getByRole('group', { name: 'Hair colour' }).getByRole('radio').nth(1).check();
  await expect(page).toHaveURL(/\?hair_color=\w+$/);
  await expect(page.getByRole('status')).not.toHaveText(all ?? '');
  await rail.getByRole('slider', { name: 'Age, to' }).press('PageDown');
  await expect(page).toHaveURL(/age=\d*\.\d+/);
  await page.reload();
  await listed(page);
  await expect(page.getByRole('list', { name: 'Active filters' }).getByRole('button')).toHaveCount(
    3,
  );
});

test('a country’s chart can be chosen on the home page', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /^Country:/ }).click();
  await page.getByRole('searchbox', { name: 'Find a country' }).fill('Jap');
  await page.getByRole('button', { name: 'Japan', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Country: Japan' })).toBeVisible();
  await page.getByRole('link', { name: 'See all: Top by country' }).click();
  await expect(page).toHaveURL(/\/top-country\/1\/\?country=JP$/);
  await listed(page);
  // The chart without a country is the same as the one on the home page.
  for (const address of ['/top-country/1/', '/']) {
    await page.goto(address);
    await expect(page.getByRole('button', { name: 'Country: Japan' })).toBeVisible();
  }
});

test('aliases and missing slashes redirect to the canonical address', async ({ page }) => {
  for (const [from, to] of [
    ['/latest-updates/', '/videos/latest-updates/1/'],
    ['/top-rated/2/', '/videos/top-rated/2/'],
    ['/models/alphabet', '/models/alphabet/1/'],
    ['/main/', '/'],
  ] as const) {
    await page.goto(from);
    await expect(page).toHaveURL(new RegExp(`${to}$`));
  }
});
