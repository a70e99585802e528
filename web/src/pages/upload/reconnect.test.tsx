// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { errorText } from '@/i18n/errors';
import { queryClient } from '@/lib/query';
import { render, unmount } from '@/lib/render';
import { until } from '@/lib/until';
import { meQuery } from '@/shared/account/use-me';
import type { UploadItem } from './rows';
import UploadScreen from './upload-screen';

const LIMITS = { max_bytes: 1000, formats: ['mp4'], exclusive_seconds: 360, other_seconds: 600 };
const film = (change: Partial<UploadItem>): UploadItem => ({
  url: '/api/uploads/a',
  token: 'a',
  file_name: 'night_market.mp4',
  size_bytes: 4,
  received_bytes: 4,
  state: 'processing',
  error_code: null,
  expires_at: '2026-10-01T12:00:00Z',
  title: 'Night market',
  step: null,
  percent: null,
  retry_at: null,
  is_kept: false,
  replaces: null,
  video: null,
  ...change,
});

let uploads: UploadItem[] = [];
let isDown = false;

const respond = () =>
  Promise.resolve(
    isDown ? Response.json({}, { status: 503 }) : Response.json({ uploads, limits: LIMITS }),
  );
const page = () => document.body.textContent;
const show = () => {
  queryClient.setQueryData(meQuery.queryKey, { user: { user_id: 3 } } as never);
  return render(<UploadScreen />, queryClient);
};

afterEach(() => {
  vi.useRealTimers();
  queryClient.clear();
});

it('says that it reconnects while the site restarts, and goes on', async () => {
  vi.stubGlobal('fetch', vi.fn(respond));
  // The texts are loaded before the clock is replaced.
  await errorText({ code: 'required' }, 'en');
  await show();
  await until(() => {
    expect(page()).toContain('Nothing uploaded yet');
  });
  unmount();
  queryClient.clear();
  isDown = true;
  uploads = [film({ step: 'encoding', percent: 40 })];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await show();
  await pass(60_000);
  expect(page()).toContain('The site doesn’t respond. We reconnect automatically');
  isDown = false;
  await pass(5000);
  expect(page()).toContain('Converting the video');
  expect(page()).not.toContain('doesn’t respond');
  // What is shown stays, marked as possibly outdated.
  isDown = true;
  await pass(10_000);
  expect(page()).toContain('Converting the video');
  expect(page()).toContain('The site doesn’t respond.');
  isDown = false;
  uploads = [film({ step: 'waiting', retry_at: '2026-10-01T12:05:00' })];
  await pass(10_000);
  expect(page()).toContain('We try again automatically at 12:05');
  expect(page()).not.toContain('doesn’t respond');
});
