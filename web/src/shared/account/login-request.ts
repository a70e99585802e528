/** The request to sign in, as a small store: anyone may ask, the header shows the dialog. */
import { createStore } from '@/lib/store';
import type { Wish } from './wish';

export interface LoginRequest {
  /** What was interrupted; it is done once the visitor has signed in. */
  action: (() => unknown) | null;
  /** What is kept of it for whoever has no account yet; the page is the one that is open where none is named. */
  wish: Partial<Wish>;
}

const store = createStore<LoginRequest | null>(null);

export const requestLogin = (
  action: (() => unknown) | null = null,
  wish: Partial<Wish> = {},
): void => {
  store.write({ action, wish });
};

export const closeLogin = (): void => {
  store.write(null);
};

export const useLoginRequest = store.useValue;
