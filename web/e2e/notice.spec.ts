/** Tests that the cookie notice is small and out of the way on a phone. */
import { expect, listed, test } from './fixtures';

test.use({ notice: true, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test('covers neither buttons nor links, and isn’t the largest contentful paint', async ({
  page,
}) => {
  await page.goto('/videos/top-rated/1/');
  await listed(page);
  const notice = page.getByRole('region', { name: 'Cookies' });
  await expect(notice).toBeVisible();
  const bottom = async () => {
    const filters = await page.getByRole('button', { name: 'Filters' }).boundingBox();
    const bar = await notice.boundingBox();
    return (bar?.y ?? NaN) - (filters ? filters.y + filters.height : NaN);
  };
  await expect.poll(bottom).toBeGreaterThanOrEqual(8);

  const largest = () =>
    page.evaluate(
      () =>
        new Promise<string>((resolve) =>
          new PerformanceObserver((list) => {
            const [last] = list.getEntries().slice(-1) as LargestContentfulPaint[];
            // The app has replaced the server's elements by now, so for a picture only the address is left.
            resolve(last?.url ? 'a picture' : (last?.element?.outerHTML ?? 'nothing'));
          }).observe({ type: 'largest-contentful-paint', buffered: true }),
        ),
    );
  // Pictures may load at any time, but anything larger than them would stay last in this list.
  await expect.poll(largest).toBe('a picture');

  const links = page.getByRole('contentinfo').getByRole('listitem').locator('a, button');
  await links.last().scrollIntoViewIfNeeded();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const isReached = () =>
    links.last().evaluate((link) => {
      const { x, y, width, height } = link.getBoundingClientRect();
      return link.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  await expect.poll(isReached).toBe(true);
  await notice.getByRole('button', { name: 'Got it' }).tap();
  await expect(notice).toHaveCount(0);
});
