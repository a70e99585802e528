/** Test helper that waits for what the page will show. */
import { act } from 'react';
import { vi } from 'vitest';

/** This is far more than anything takes on an idle machine: a busy machine takes several times as long, but should still succeed. */
export const PATIENCE = { timeout: 30_000, interval: 10 };

/** Runs each check inside `act`, as React expects. */
export const until = (check: () => void): Promise<void> =>
  vi.waitFor(async () => {
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
    check();
  }, PATIENCE);
