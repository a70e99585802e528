/** For tests: waiting for what a page will show. */
import { act } from 'react';
import { vi } from 'vitest';

/** Far longer than anything takes where nothing else runs: on a busy machine it takes several times as long, and comes. */
export const PATIENCE = { timeout: 30_000, interval: 10 };

/** All that happens meanwhile happens where React expects it. */
export const until = (check: () => void): Promise<void> =>
  vi.waitFor(async () => {
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
    check();
  }, PATIENCE);
