/** Tests a site with several hosts. */
import { expect, SETTINGS, test } from '../site';

test('a choice is stored once for all hosts of the domain', async ({ page, context, site }) => {
  const at = (host: string) =>
    site.address.replace('127.0.0.1', `${host}.${SETTINGS.SERVER__COOKIE_DOMAIN}`);
  // This cookie was set by an app version that did not know about the domain.
  await context.addCookies([{ name: 'app_lang', value: 'ja', url: at('www') }]);
  await page.goto(at('www'));
  await page.getByRole('dialog').getByRole('button', { name: /18/ }).click();
  await page.getByRole('button', { name: /^言語/ }).click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  // Press the label once it has stopped moving, as people do.
  await page.getByRole('banner').getByText('Gay', { exact: true }).click();
  await expect(page.getByRole('radio', { name: 'Gay' })).toBeChecked();
  const kept = (await context.cookies(at('www'))).map(({ name, value, domain }) => [
    name,
    value,
    domain,
  ]);
  const domain = `.${SETTINGS.SERVER__COOKIE_DOMAIN}`;
  expect(kept.sort()).toEqual([
    ['age_agreed', '1', domain],
    ['app_lang', 'de', domain],
    ['country_code', 'XX', domain],
    ['gender', 'gay', domain],
  ]);
  await page.goto(at('m'));
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('radio', { name: 'Gay' })).toBeChecked();
});
