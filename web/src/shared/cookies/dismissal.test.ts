// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';

/** Sets up the first page's embedded data. */
async function page(boot: object) {
  vi.resetModules();
  document.body.innerHTML = `<script type="application/json" id="boot">${JSON.stringify(boot)}</script>`;
  return import('./dismissal');
}
const asking = { ads: { asks: true, under_player_percent: 10, channel_banners: false } };

beforeEach(() => localStorage.clear());

it('shows no ads before consent, and asks again after a plain dismissal', async () => {
  const plain = await page({});
  plain.dismissNotice();
  expect(plain.isNoticeDue()).toBe(false);
  const { answerAds, isNoticeDue, mayAdvertise } = await page(asking);
  expect([isNoticeDue(), mayAdvertise()]).toEqual([true, false]);
  answerAds(false);
  expect([isNoticeDue(), mayAdvertise()]).toEqual([false, false]);
  answerAds(true);
  expect([isNoticeDue(), mayAdvertise()]).toEqual([false, true]);
});

it('asks nothing if not needed', async () => {
  const { isNoticeDue, mayAdvertise } = await page({ ads: { ...asking.ads, asks: false } });
  expect([isNoticeDue(), mayAdvertise()]).toEqual([true, true]);
});
