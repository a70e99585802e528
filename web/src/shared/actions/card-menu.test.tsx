// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { VideoCard } from '@/api/types';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { meQuery } from '@/shared/account/use-me';
import CardMenu from './card-menu';

// The real toaster has a separate root, which outlives the test's root.
const toast = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('@/ui/toast', () => ({ toast }));

const button = () => document.querySelector<HTMLButtonElement>('button[aria-haspopup=menu]');
const items = () => [...document.querySelectorAll('[role=menuitem]')];
const focused = (at: number) =>
  until(() => {
    expect(items()[at]).toBeDefined();
    expect(document.activeElement).toBe(items()[at]);
  });
const press = (key: string) =>
  act(() => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
  });

beforeEach(async () => {
  // Makes room next to the card.
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  await import('./card-menu-panel');
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(meQuery.queryKey, { user: null });
  const video = {
    video_id: 7,
    title: 'Harbour',
    dir: 'harbour',
    models: [{ dir: 'yui', title: 'Yui' }],
    categories: [{ dir: 'travel', title: 'Travel' }],
  } as unknown as VideoCard;
  await render(<CardMenu video={video} />, client);
  await until(() => expect(button()).not.toBeNull());
  act(() => button()?.click());
});

it('opens on its first item and wraps around with the arrow keys', async () => {
  await focused(0);
  expect(items().map((item) => item.textContent)).toEqual([
    'Watch later',
    'Add to playlist',
    'Share',
    'Report',
    'Don’t show “Yui”',
    'Don’t show “Travel”',
  ]);
  press('ArrowDown');
  await focused(1);
  press('ArrowUp');
  await focused(0);
  press('ArrowUp');
  await focused(5);
  press('Home');
  await focused(0);
});

it('closes on Escape and returns focus to its button', async () => {
  await focused(0);
  press('Escape');
  await until(() => {
    expect(items()).toEqual([]);
    expect(document.activeElement).toBe(button());
  });
});

it('mutes a model or category for a guest, in this browser', async () => {
  await focused(0);
  press('End');
  await focused(5);
  press('Enter');
  await until(() => {
    expect(localStorage.getItem('lantern.mutes')).toContain('travel');
    const text = '“Travel” is hidden from your lists';
    expect(toast).toHaveBeenCalledExactlyOnceWith(text, 'success', expect.any(Function));
  });
});
