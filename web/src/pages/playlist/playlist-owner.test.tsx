// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { meQuery } from '@/shared/account/use-me';
import { playlistQuery, playlistVideosQuery } from '@/shared/queries/community';
import { PlaylistScreen } from './playlist-screen';

const toast = vi.hoisted(() =>
  vi.fn<(text: string, kind?: string, undo?: () => void) => Promise<void>>(() => Promise.resolve()),
);
vi.mock('@/ui/toast', () => ({ toast }));
vi.mock('@/shared/cards/video-card', () => ({ VideoCard: () => null }));
vi.mock('@/shared/comments/comments', () => ({ default: () => null }));
vi.mock('@/shared/actions/object-actions', () => ({ default: () => null }));

const AUDIENCE = { gender: 'str', lang: 'en' } as const;
const playlist = {
  playlist_id: 7,
  user_id: 3,
  username: 'olga',
  title: 'Harbour',
  description: 'Boats',
  total_videos: 2,
  private: 1,
};
/** The second video has been deleted. */
const videos = ['Pier', '', 'Tide'].map((title, at) => ({
  video_id: at + 1,
  title,
  dir: 'x',
  duration: '0:07:00',
  models: [],
  categories: [],
}));
const buttons = () => [...document.querySelectorAll<HTMLElement>('button[aria-label^="Remove "]')];
const page = () => document.body.textContent;

beforeEach(async () => {
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  // Refetches stay pending.
  const fetched = vi.fn((url: string) =>
    url.startsWith('/api/stat.php')
      ? Promise.resolve(Response.json({ ok: 1 }))
      : new Promise(() => undefined),
  );
  vi.stubGlobal('fetch', fetched);
  queryClient.setQueryData(meQuery.queryKey, { user: { user_id: 3 } } as never);
  queryClient.setQueryData(playlistQuery(7).queryKey, { playlist } as never);
  const list = { videos, total_count: 3, pages: 1 };
  queryClient.setQueryData(playlistVideosQuery(7, 1, AUDIENCE).queryKey, list as never);
  await render(<PlaylistScreen id={7} number={1} />, queryClient);
  await until(() => expect(buttons()).toHaveLength(3));
});
afterEach(() => {
  queryClient.clear();
  toast.mockClear();
});

const remove = async (at: number, left: number) => {
  act(() => buttons()[at]?.click());
  await until(() => {
    expect(buttons()).toHaveLength(left);
    expect(toast).toHaveBeenCalledTimes(3 - left);
  });
};

it('shows the number of videos after a removal and after its undo', async () => {
  expect(page()).toContain('Videos: 2');
  await remove(0, 2);
  await until(() => expect(page()).toContain('Videos: 1'));
  act(() => toast.mock.lastCall?.[2]?.());
  await until(() => expect(page()).toContain('Videos: 2'));
});

it('doesn’t count videos that were already deleted', async () => {
  await remove(1, 2);
  expect(page()).toContain('Videos: 2');
});
