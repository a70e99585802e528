// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query';
import { act, useEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '@/lib/http';
import { render } from '@/lib/render';
import { PATIENCE } from '@/lib/until';
import { meQuery } from '@/shared/account/use-me';
import { useOptimistic, without } from './use-optimistic';

const toast = vi.hoisted(() =>
  vi.fn<(text: string, kind?: string, undo?: () => void) => Promise<void>>(),
);
vi.mock('@/ui/toast', () => ({ toast }));

interface Answer {
  videos: number[];
}
const URL = '/list';
let client: QueryClient;
let atOnce: ReturnType<typeof useOptimistic>;

function Probe() {
  const found = useOptimistic();
  useEffect(() => {
    atOnce = found;
  });
  return null;
}

const shown = () => client.getQueryData<Answer>([URL])?.videos;
const remove = (undo?: () => Promise<unknown>) =>
  act(() =>
    atOnce<Answer>({
      url: URL,
      change: (answer) => without(answer, 'videos', (id) => id === 2),
      send: () => Promise.resolve(),
      done: 'Removed',
      undo,
    }),
  );
/** Returns the undo offer of the last toast. */
const offer = () => toast.mock.lastCall?.[2];

beforeEach(async () => {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  client.setQueryData(meQuery.queryKey, { user: { user_id: 7 } as never });
  client.setQueryData<Answer>([URL], { videos: [1, 2, 3] });
  await render(<Probe />, client);
});
afterEach(() => {
  toast.mockReset();
});

it('offers to undo a removal, which restores the item in its place', async () => {
  const undo = vi.fn(() => Promise.resolve());
  await remove(undo);
  expect(shown()).toEqual([1, 3]);
  expect(toast).toHaveBeenCalledExactlyOnceWith('Removed', 'success', expect.any(Function));
  await act(async () => {
    offer()?.();
    await vi.waitFor(() => expect(undo).toHaveBeenCalledOnce(), PATIENCE);
  });
  expect(shown()).toEqual([1, 2, 3]);
});

it('reports why an undo failed, and refetches', async () => {
  await remove(() => Promise.reject(new ApiError(404, { code: 'comment_not_found' })));
  await act(async () => {
    offer()?.();
    await vi.waitFor(
      () => expect(toast).toHaveBeenLastCalledWith('This comment is gone.', 'error'),
      PATIENCE,
    );
  });
  expect(client.getQueryState([URL])?.isInvalidated).toBe(true);
});

it('reverts only the refused removal: another pending one stays', async () => {
  let refuse: (error: Error) => void = () => undefined;
  const first = act(() =>
    atOnce<Answer>({
      url: URL,
      change: (answer) => without(answer, 'videos', (id) => id === 1),
      send: () => new Promise((_, reject) => (refuse = reject)),
    }),
  );
  await remove();
  expect(shown()).toEqual([3]);
  refuse(new ApiError(404, { code: 'comment_not_found' }));
  await first;
  expect(shown()).toEqual([1, 3]);
});

it('restores only the undone item', async () => {
  await remove(() => Promise.resolve());
  const undo = offer();
  await act(() =>
    atOnce<Answer>({
      url: URL,
      change: (answer) => without(answer, 'videos', (id) => id === 1),
      send: () => Promise.resolve(),
    }),
  );
  await act(async () => {
    undo?.();
    await Promise.resolve();
  });
  // The item's position is no longer known, so the list is refetched.
  expect(shown()).toEqual([3]);
  expect(client.getQueryState([URL])?.isInvalidated).toBe(true);
});

it('offers nothing that can’t be undone', async () => {
  await remove();
  expect(toast).toHaveBeenCalledExactlyOnceWith('Removed', 'success', undefined);
});
