/** A store for login requests. Any component can request a login, and the header shows the dialog. */
import { createStore } from '@/lib/store';
import type { Wish } from './wish';

export interface LoginRequest {
  /** The interrupted action, which is done once the visitor has logged in. */
  action: (() => unknown) | null;
  /** What to store for visitors who sign up first: the action and its page. The page defaults to the current one. */
  wish: Partial<Wish>;
}

const store = createStore<LoginRequest | null>(null);

export const requestLogin = (
  action: (() => unknown) | null = null,
  wish: Partial<Wish> = {},
): void => store.write({ action, wish });

export const closeLogin = (): void => store.write(null);

export const useLoginRequest = store.useValue;
