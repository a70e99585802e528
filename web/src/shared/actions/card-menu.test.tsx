// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, Suspense } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { VideoCard } from '@/api/types';
import { startI18n } from '@/i18n';
import { until } from '@/lib/until';
import { VisitorProvider } from '@/lib/visitor';
import { meQuery } from '@/shared/account/use-me';
import CardMenu from './card-menu';

// The real toaster has a separate root, which outlives the test's root.
const toast = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('@/ui/toast', () => ({ toast }));

let root: Root;
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
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  // Makes room next to the card.
  vi.stubGlobal('matchMedia', () => ({
    matches: true,
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  await startI18n('en');
  await import('./card-menu-panel');
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(meQuery.queryKey, { user: null });
  root = createRoot(document.body.appendChild(document.createElement('div')));
  const video = {
    video_id: 7,
    title: 'Harbour',
    dir: 'harbour',
    models: [{ dir: 'yui', title: 'Yui' }],
    categories: [{ dir: 'travel', title: 'Travel' }],
  } as unknown as VideoCard;
  await act(async () => {
    root.render(
      <QueryClientProvider client={client}>
        <VisitorProvider lang="en" country="US">
          <Suspense>
            <CardMenu video={video} />
          </Suspense>
        </VisitorProvider>
      </QueryClientProvider>,
    );
    await Promise.resolve();
  });
  await until(() => expect(button()).not.toBeNull());
  act(() => button()?.click());
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
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
