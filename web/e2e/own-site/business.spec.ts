/** Tests advertising and premium offers as configured by the operator (`SETTINGS`). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expectAccessibleInBoth, listed, cards } from '../fixtures';
import { DEMO } from '../members';
import { expect, test } from '../site';

test.use({ notice: true, viewport: { width: 1280, height: 800 } });

/** An advertiser's page that reports what it can access on the page around it. */
const FRAME = `<!doctype html><title>Advertiser</title><p></p><script>
  const reached = [];
  for (const [name, reach] of [
    ['page', () => parent.document.title],
    ['storage', () => localStorage.length],
    ['cookies', () => document.cookie],
  ]) {
    try { reach(); reached.push(name); } catch {}
  }
  document.querySelector('p').textContent = 'reached: ' + reached.join();
</script>`;
/** How long, on a busy machine, counts may take to be written or a text to reach every node. */
const KNOWN_MS = 120_000;

test('advertisements wait for consent, can’t access the page, and end with premium', async ({
  page,
  site,
}) => {
  const asked: string[] = [];
  await page.route('https://ads.example/**', async (route) => {
    asked.push(new URL(route.request().url()).search);
    await route.fulfill({ contentType: 'text/html', body: FRAME });
  });
  const frames = page.locator('iframe');
  const outward = (name: string | RegExp) => page.getByRole('link', { name });
  const notice = page.getByRole('region', { name: 'Cookies' });

  await page.goto('/videos/top-rated/1/?campaign=summer');
  await listed(page);
  await expect(notice.getByRole('button', { name: 'No, thanks' })).toBeVisible();
  // The footer has an ad slot, too.
  await expect(outward('A partner')).toBeVisible();
  await expect(frames).toHaveCount(0);
  expect(asked).toEqual([]);
  await notice.getByRole('button', { name: 'I agree' }).click();
  await expect(notice).toHaveCount(0);
  await expect(frames).toHaveCount(0);

  await cards(page).first().click();
  await expect(frames).toHaveCount(1);
  await expect(page.frameLocator('iframe').locator('p')).toHaveText('reached: ');
  expect(asked).toEqual(['?size=728x90&lang=en']);
  await expect(outward(/Another site/)).toHaveAttribute('href', 'https://another.example/');
  await expect(outward('A partner')).toHaveAttribute('href', 'https://partner.example/');
  await expect(page.getByRole('timer')).toHaveText(/This offer ends in (01:00:00|59:\d\d)/);
  // The mouse is over the player, where the pressed card was. The tooltip that this shows is irrelevant here.
  await page.mouse.move(0, 0);
  await expectAccessibleInBoth(page);
  await outward(/Trending today in/).click();
  await expect(page).toHaveURL(/\/categories\/[^/]+\/most-popular\/1\/\?date=day$/);
  await expect
    .poll(() => site.operate('page-views', '--campaign', 'summer'), { timeout: KNOWN_MS })
    .toMatch(/^summer\tvideos\t1\t1\t0$/m);

  site.operate('premium', 'add', 'demo', '--days', '1');
  await cards(page).first().click();
  await expect(frames).toHaveCount(1);
  // A visitor who logs in midway has premium from then on.
  await page.getByRole('button', { name: 'Favourite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in' });
  await dialog.getByLabel('Username or email').fill(DEMO.usr);
  await dialog.getByLabel('Password', { exact: true }).fill(DEMO.pwd);
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await expect(frames).toHaveCount(0);
  await expect(outward(/Another site/)).toHaveCount(0);
  await page.goto('/videos/top-rated/1/');
  await listed(page);
  await expect(outward('A partner')).toBeVisible();
  await expect(frames).toHaveCount(0);
  await expect(outward('See the offer')).toHaveCount(0);
  site.operate('premium', 'end', 'demo');
});

test('a text is shown below its list, to people and search engines', async ({ page, site }) => {
  const file = join(site.data, 'text.txt');
  writeFileSync(file, '# Best of all\n\nWhat <others> liked.\n');
  site.operate('texts', 'set', '/videos/top-rated/', '--lang', 'en', '--file', file);
  const path = '/videos/top-rated/1/';
  const html = async () => (await page.request.get(path)).text();
  await expect.poll(html, { timeout: KNOWN_MS }).toContain('What &lt;others&gt; liked.');

  await page.goto(path);
  await listed(page);
  await expect(page.getByRole('heading', { name: 'Best of all' })).toBeVisible();
  await expect(page.getByText('What <others> liked.')).toBeVisible();
  await expect(page.getByRole('timer')).toBeVisible();
  await expect(page.getByRole('link', { name: 'A partner' })).toBeVisible();
  site.operate('texts', 'remove', '/videos/top-rated/', '--lang', 'en');
});
