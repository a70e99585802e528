// @vitest-environment happy-dom
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { MEMBER_STATUS, UPLOAD_STATUS } from '@/api/status';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { meQuery } from '@/shared/account/use-me';
import { listQuery } from '@/shared/queries/own-lists';
import { OwnUploads } from './own-uploads';

const toast = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('@/ui/toast', () => ({ toast }));
vi.mock('@/shared/cards/video-card', () => ({ VideoCard: () => null }));

it('says when a video will be published, also while it is reviewed', async () => {
  const publish_at = '2027-01-31T17:00:00Z';
  const videos = [
    { video_id: 7, title: 'Harbour', status_id: UPLOAD_STATUS.scheduled, publish_at },
    { video_id: 8, title: 'Canal', status_id: UPLOAD_STATUS.inReview, publish_at },
  ];
  const list = { videos, pages: 1, total_count: 2 };
  queryClient.setQueryData(listQuery('uploaded_videos', 1, 'en').queryKey, list as never);
  await render(
    <OwnUploads statusId={MEMBER_STATUS.ordinary} page={1} href={() => '/'} />,
    queryClient,
  );
  await until(() => {
    const times = [...document.querySelectorAll('time')];
    expect(times.map(({ dateTime }) => dateTime)).toEqual([publish_at, publish_at]);
    const text = times.map((time) => time.parentElement?.textContent);
    expect(text[0]).toMatch(/^Scheduled for January 31, 2027/);
    expect(text[1]).toMatch(/^Waiting for review · Scheduled for January 31, 2027/);
  });
});

it('cancels the restoration of a deleted video', async () => {
  const posted: string[] = [];
  vi.stubGlobal('fetch', (url: string, { body }: { body?: URLSearchParams }) => {
    if (url !== '/api/video_edit.php') return new Promise(() => undefined);
    posted.push(String(body));
    return Promise.resolve(Response.json({ ok: 1 }));
  });
  queryClient.setQueryData(meQuery.queryKey, { user: { user_id: 3 } } as never);
  const video = {
    video_id: 7,
    title: 'Harbour',
    status_id: UPLOAD_STATUS.deleted,
    readd_at: '2026-09-28T14:13:20Z',
    has_lost_audio: true,
  };
  const list = { videos: [video], pages: 1, total_count: 1 };
  queryClient.setQueryData(listQuery('uploaded_videos', 1, 'en').queryKey, list as never);
  await render(
    <OwnUploads statusId={MEMBER_STATUS.managesUploads} page={1} href={() => '/'} />,
    queryClient,
  );
  const button = () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === 'Keep deleted');
  await until(() => {
    expect(button()).toBeDefined();
  });
  expect(document.querySelector('time')).not.toBeNull();
  act(() => button()?.click());
  await until(() => {
    expect(toast).toHaveBeenCalledWith('The video stays deleted', 'success', undefined);
    expect(document.querySelector('time')).toBeNull();
    expect(button()).toBeUndefined();
  });
  expect(posted).toEqual(['act=2&video_id=7']);
});

it('says which video plays without sound', async () => {
  vi.stubGlobal('fetch', () => new Promise(() => undefined));
  queryClient.setQueryData(meQuery.queryKey, { user: { user_id: 3 } } as never);
  const video = (video_id: number, has_lost_audio: boolean) => ({
    video_id,
    title: 'Harbour',
    status_id: UPLOAD_STATUS.published,
    has_lost_audio,
  });
  const list = { videos: [video(7, true), video(8, false)], pages: 1, total_count: 2 };
  queryClient.setQueryData(listQuery('uploaded_videos', 1, 'en').queryKey, list as never);
  await render(
    <OwnUploads statusId={MEMBER_STATUS.ordinary} page={1} href={() => '/'} />,
    queryClient,
  );
  await until(() => {
    expect(document.body.textContent.match(/No sound: it could not be read/g)).toHaveLength(1);
  });
});
