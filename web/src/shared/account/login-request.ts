/** The request to sign in, as a small store: anyone may ask, the header shows the dialog. */
import { createStore } from '@/lib/store';

export interface LoginRequest {
  /** What was interrupted; it is done once the visitor has signed in. */
  action: (() => unknown) | null;
}

const store = createStore<LoginRequest | null>(null);

export const requestLogin = (action: (() => unknown) | null = null): void => {
  store.write({ action });
};

export const closeLogin = (): void => {
  store.write(null);
};

export const useLoginRequest = store.useValue;
