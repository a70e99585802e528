// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import { errorText } from '@/i18n/errors';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import type { Limits } from './file-checks';
import { Replacement } from './replacement';
import type { UploadItem } from './rows';
import { dropTransfer, transfers } from './transfers';
import { refreshUploads } from './uploads-query';

vi.mock('./send', () => ({ send: () => ({ stop: () => undefined }) }));
vi.mock('./read-facts', () => ({
  readFacts: () => Promise.resolve({ content: 'video', seconds: 370 }),
}));
vi.mock('@/ui/toast', () => ({ toast: () => Promise.resolve() }));

const LIMITS = {
  max_bytes: 1000,
  formats: ['mp4', 'webm'],
  exclusive_seconds: 360,
  other_seconds: 600,
  max_seconds: 7200,
} as Limits;
const upload = (change: Partial<UploadItem>): UploadItem => ({
  url: '/api/uploads/a',
  token: 'a',
  file_name: 'night_market.mp4',
  size_bytes: 4,
  received_bytes: 4,
  state: 'done',
  error_code: null,
  expires_at: '2026-10-01T12:00:00Z',
  title: 'Night market',
  step: null,
  percent: null,
  retry_at: null,
  is_kept: false,
  replaces: 7,
  video: null,
  ...change,
});
const video = (status_id: UploadStatus, reason: string | null = null): UploadItem['video'] => ({
  video_id: 9,
  status_id,
  reason,
  publish_at: null,
  shots: [],
  has_lost_audio: false,
});

let uploads: UploadItem[];
const onDone = vi.fn(() => Promise.resolve());
const page = () => document.body.textContent;
const input = () => document.querySelector<HTMLInputElement>('input[type=file]');
const show = async (isExclusive = false) => {
  await render(
    <Replacement videoId={7} isExclusive={isExclusive} limits={LIMITS} onDone={onDone} />,
    queryClient,
  );
  await until(() => {
    expect(queryClient.isFetching()).toBe(0);
    expect(page()).toContain('Replace with a new version');
  });
};

beforeEach(async () => {
  uploads = [];
  onDone.mockClear();
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve(Response.json({ uploads, limits: LIMITS }))),
  );
  await errorText({ code: 'required' }, 'en');
});
afterEach(() => {
  for (const { key } of transfers()) dropTransfer(key);
  queryClient.clear();
});

const choose = async () => {
  const field = input();
  if (!field) throw new Error('no file can be chosen');
  Object.defineProperty(field, 'files', {
    value: [new File(['film'], 'better.mp4')],
    configurable: true,
  });
  await act(async () => {
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await Promise.resolve();
  });
};

it('sends a chosen file as the new version of the video', async () => {
  await show();
  await choose();
  await until(() => {
    expect(transfers()).toMatchObject([{ replaces: 7, file: { name: 'better.mp4' } }]);
    expect(page()).toContain('better.mp4');
  });
  expect(input()).toBeNull();
});

it.each([
  [true, null],
  [false, 'short'],
])('judges the length by the rule for the video, exclusive %s: %s', async (isExclusive, doubt) => {
  await show(isExclusive);
  await choose();
  await until(() => {
    expect(transfers()).toMatchObject([{ facts: { seconds: 370 }, doubt }]);
  });
});

it('shows the review of a new version, and reloads the video once it has ended', async () => {
  uploads = [upload({ video: video(UPLOAD_STATUS.inReview) }), upload({ token: 'b', replaces: 8 })];
  await show();
  await until(() => {
    expect(page()).toContain('We review the new version before it replaces the current one.');
  });
  expect(page()).toContain('Cancel');
  expect(input()).toBeNull();
  expect(onDone).not.toHaveBeenCalled();
  uploads = [upload({ replaces: null, video: video(UPLOAD_STATUS.published) })];
  await act(refreshUploads);
  await until(() => {
    expect(onDone).toHaveBeenCalledOnce();
    expect(input()).not.toBeNull();
  });
});

it('says why a new version was rejected, and lets its owner send another one', async () => {
  uploads = [upload({ video: video(UPLOAD_STATUS.rejected, 'quality') })];
  await show();
  await until(() => {
    expect(page()).toContain('The picture or sound is too poor.');
  });
  expect(page()).toContain('Remove');
  expect(input()).not.toBeNull();
});
