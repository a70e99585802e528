/** A store for login requests. Any component can request a login, and the header shows the dialog. */
import { createStore } from '@/lib/store';
import type { Wish } from './wish';

export interface LoginRequest {
  /** The interrupted action, which is done once the visitor has logged in. */
  action: (() => unknown) | null;
  /** What to store about the action for visitors who have no account yet. It defaults to the current page. */
  wish: Partial<Wish>;
}

const store = createStore<LoginRequest | null>(null);

export const requestLogin = (
  action: (() => unknown) | null = null,
  wish: Partial<Wish> = {},
): void => store.write({ action, wish });

export const closeLogin = (): void => store.write(null);

export const useLoginRequest = store.useValue;
