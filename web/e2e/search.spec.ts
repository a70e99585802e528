import { cards, expect, expectAccessible, listed, newestVideos, test } from './fixtures';
import { play, position } from './player';

/** A word that is long enough for the engine to tolerate a typo. */
const LONG_WORD = /\p{Letter}{6,}/u;

test('a typo is tolerated', async ({ page, request }) => {
  const titles = (await newestVideos(request, 'en')).map(({ title }) => title);
  const word = titles.map((title) => /\b[A-Za-z]{7,}\b/.exec(title)?.[0]).find(Boolean) ?? '';
  expect(word).not.toBe('');
  const middle = Math.floor(word.length / 2);
  const wrong = word.slice(0, middle) + (word[middle] === 'x' ? 'z' : 'x') + word.slice(middle + 1);
  await page.goto('/');
  await expect(page.getByRole('combobox')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(wrong);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\/1\/\?s=/);
  await listed(page);
  await expect(
    cards(page)
      .filter({ hasText: new RegExp(word, 'i') })
      .first(),
  ).toBeVisible();
});

test('Russian words find Russian titles', async ({ page, request, visitor }) => {
  await visitor({ lang: 'ru' });
  const titles = (await newestVideos(request, 'ru')).map(({ title }) => title);
  const russian = titles.find((title) => /\p{Script=Cyrillic}{6,}/u.test(title)) ?? '';
  const word = LONG_WORD.exec(russian)?.[0] ?? '';
  expect(word).not.toBe('');
  await page.goto(`/search/1/?s=${encodeURIComponent(word)}`);
  await listed(page);
  await expect(cards(page).first()).toContainText(new RegExp(word.slice(0, 5), 'i'));
  await expect(page.locator('main mark').first()).toBeVisible();
});

test('part of a Japanese title finds it', async ({ page, request, visitor }) => {
  await visitor({ lang: 'ja' });
  const titles = (await newestVideos(request, 'ja')).map(({ title }) => title);
  const word =
    titles
      .map((title) => /\p{Script=Han}{2}|[\p{Script=Katakana}ー]{3,}/u.exec(title)?.[0])
      .find(Boolean) ?? '';
  expect(word).not.toBe('');
  await page.goto('/');
  await page.getByRole('combobox').fill(word);
  await page.getByRole('combobox').press('Enter');
  await listed(page);
  await expect(cards(page).first()).toContainText(word);
});

test('suggestions by keyboard', async ({ page, request }) => {
  const [category] = (
    (await (await request.get('/api/json/main/14400/str.en.json')).json()) as {
      categories: { dir: string; title: string }[];
    }
  ).categories;
  await page.goto('/');
  await expect(page.getByRole('combobox')).toBeVisible();
  await page.keyboard.press('/');
  const box = page.getByRole('combobox');
  await expect(box).toBeFocused();
  await box.pressSequentially(category?.title ?? '');
  const list = page.getByRole('listbox');
  const option = list.getByRole('group', { name: 'Categories' }).getByRole('option').first();
  await expect(option).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await page.keyboard.press('ArrowDown');
  await expect(list).toBeVisible();
  const options = await list.getByRole('option').count();
  for (let step = 0; step < options; step += 1) {
    if ((await option.getAttribute('aria-selected')) === 'true') break;
    await page.keyboard.press('ArrowDown');
  }
  await expect(option).toHaveAttribute('aria-selected', 'true');
  const id = await option.getAttribute('id');
  await expect(box).toHaveAttribute('aria-activedescendant', id ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/categories\/[^/]+\/latest-updates\/1\/$/);
});

test('a video is chosen by its picture while its title is typed', async ({ page, request }) => {
  const [video] = await newestVideos(request, 'en');
  const title = video?.title ?? '';
  await page.goto('/');
  await page.getByRole('combobox').fill(title);
  const options = page.getByRole('group', { name: 'Videos' }).getByRole('option');
  const option = options.filter({ hasText: title }).first();
  await expect(option.locator('img')).toHaveAttribute('src', /^\/media\/p\/.+-320\.\w+$/);
  await option.click();
  await expect(page).toHaveURL(/\/videos\/\d+\/[^/]+\/$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
});

test('recent searches are offered again', async ({ page }) => {
  for (const text of ['night', 'river', 'light']) {
    await page.goto('/');
    await page.getByRole('combobox').fill(text);
    await page.getByRole('combobox').press('Enter');
    await expect(page).toHaveURL(new RegExp(`s=${text}$`));
  }
  await page.goto('/');
  await page.getByRole('combobox').focus();
  const recent = page.getByRole('group', { name: 'Recent searches' }).getByRole('option');
  await expect(recent).toHaveText(['light', 'river', 'night']);
});

test('a search without hits names the words it dropped', async ({ page, request }) => {
  const titles = (await newestVideos(request, 'en')).map(({ title }) => title);
  const word = titles.map((title) => /\b[A-Za-z]{7,}\b/.exec(title)?.[0]).find(Boolean) ?? '';
  await page.goto(`/search/1/?s=${word}+zzqxwvkjq`);
  await listed(page);
  const notice = page.getByRole('status').filter({ hasText: 'instead of' });
  await expect(notice).toHaveText(`Showing results for “${word}” instead of “${word} zzqxwvkjq”.`);
  const missing = `No results for “${word} zzqxwvkjq”`;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(missing);
  await expect(page.getByRole('heading', { name: `“${word}”`, exact: true })).toBeVisible();
  await expectAccessible(page);
});

test('a category is found, excluded and restored', async ({ page, request }) => {
  const main = (await (await request.get('/api/json/main/14400/str.en.json')).json()) as {
    categories: { dir: string; title: string }[];
  };
  const { dir, title } = main.categories[0] ?? { dir: '', title: '' };
  await page.goto(`/search/1/?s=${encodeURIComponent(title)}`);
  await listed(page);
  const group = page.getByRole('region', { name: 'Categories' });
  await expect(group.getByRole('link', { name: title })).toHaveAttribute(
    'href',
    `/categories/${dir}/latest-updates/1/`,
  );
  await expectAccessible(page);
  const other = page.getByRole('button', { name: /^Exclude / }).nth(1);
  const name = ((await other.getAttribute('aria-label')) ?? '').replace('Exclude ', '');
  await other.click();
  await expect(page).toHaveURL(/not_categories=[\w-]+$/);
  await listed(page);
  await expect(page.getByRole('checkbox', { name })).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: `Remove − ${name}` }).click();
  await expect(page).toHaveURL(/\/search\/1\/\?s=[^&]+$/);
  await expect(page.getByRole('checkbox', { name })).toHaveCount(1);
});

test('a misspelled search shows results for the corrected spelling', async ({ page, request }) => {
  const main = (await (await request.get('/api/json/main/14400/str.en.json')).json()) as {
    categories: { title: string }[];
  };
  // The title is too short for typo tolerance: it has four letters, and two of them are swapped.
  const title = main.categories
    .map((category) => category.title)
    .find((one) => /^[A-Za-z]{4}$/.test(one));
  const [a = '', b = '', c = '', d = ''] = Array.from(title ?? '');
  expect(title).toBeDefined();
  await page.goto(`/search/1/?s=${a}${c}${b}${d}`.toLowerCase());
  await listed(page);
  const notice = page.getByRole('status').filter({ hasText: 'instead of' });
  await expect(notice).toContainText(new RegExp(`Showing results for “${title ?? ''}”`, 'i'));
  await expectAccessible(page);
});

test('no results show popular videos', async ({ page }) => {
  await page.goto('/search/1/?s=zzqxwvkjq');
  await expect(page.getByRole('status').filter({ hasText: 'wasn’t found' })).toBeVisible();
  await listed(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No results for “zzqxwvkjq”');
  await expect(page.getByRole('heading', { name: 'Most popular' })).toBeVisible();
  await expect(page.getByText(/^\d+ videos?$/)).toHaveCount(0);
  // So does a query that consists only of exclusions.
  await page.goto('/search/1/?s=-zzqxwvkjq');
  const notice = page.getByRole('status').filter({ hasText: 'A minus only excludes' });
  await expect(notice).toBeVisible();
  await listed(page);
});

test('one character is not searched', async ({ page }) => {
  await page.goto('/search/1/?s=a');
  await expect(page.getByText('Type 2 to 69 characters to search')).toBeVisible();
});

test('a line of captions opens its video at that second', async ({ page, visitor }) => {
  await visitor({ lang: 'en' });
  await page.goto('/search/1/?s=lanterns%20lit');
  const block = page.getByRole('region', { name: 'Spoken in videos' });
  await expect(block.getByRole('listitem').first()).toContainText(/\d:\d\d.*lanterns/);
  await expectAccessible(page);
  const link = block.getByRole('link').first();
  const start = Number(/start_time=(\d+)/.exec((await link.getAttribute('href')) ?? '')?.[1]);
  expect(start).toBeGreaterThan(0);
  await link.click();
  await expect(page).toHaveURL(/\/videos\/\d+\//);
  await play(page);
  await expect.poll(() => position(page)).toBeGreaterThanOrEqual(start);
});
