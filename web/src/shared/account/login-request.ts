/** The request to sign in, as a small store: anyone may ask, the header shows the dialog. */
import { useSyncExternalStore } from 'react';

export interface LoginRequest {
  /** What was interrupted; it is done once the visitor has signed in. */
  action: (() => unknown) | null;
}

let current: LoginRequest | null = null;
const listeners = new Set<() => void>();

function change(next: LoginRequest | null): void {
  current = next;
  for (const listener of listeners) listener();
}

/** Opens the dialog to sign in. */
export const requestLogin = (action: (() => unknown) | null = null): void => {
  change({ action });
};

export const closeLogin = (): void => {
  change(null);
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useLoginRequest = (): LoginRequest | null =>
  useSyncExternalStore(subscribe, () => current);
