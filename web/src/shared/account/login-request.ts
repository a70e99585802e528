/** A store for login requests: any component can request a login, the header shows the dialog. */
import { createStore } from '@/lib/store';
import type { Wish } from './wish';

export interface LoginRequest {
  /** The interrupted action; done once the visitor has logged in. */
  action: (() => unknown) | null;
  /** What to store of it for visitors without an account yet; defaults to the current page. */
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
