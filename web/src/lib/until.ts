/** Test helper: waits for what the page will show. */
import { act } from 'react';
import { vi } from 'vitest';

/** Far above what anything takes on an idle machine: a busy one takes several times as long, and still gets there. */
export const PATIENCE = { timeout: 30_000, interval: 10 };

/** Runs each check inside `act`, as React expects. */
export const until = (check: () => void): Promise<void> =>
  vi.waitFor(async () => {
    await act(() => new Promise((resolve) => setTimeout(resolve, 10)));
    check();
  }, PATIENCE);
