/**
 * What a guest wanted when leaving to sign up: the page, and the action there. It is stored in this browser, because sign-up continues
 * from a mailed link in another window. It expires together with that link.
 */
import { limits } from '@/lib/limits';
import { readStored, writeStored } from '@/lib/storage';
import type { Deed } from '@/shared/actions/deed';
import { isOwnPath } from './next';

const KEY = 'lantern.wish';
export interface Wish {
  path: string;
  /** The action, which is missing if only the page was wanted. */
  deed?: Deed | undefined;
}

interface Kept extends Wish {
  /** When the wish expires, in milliseconds since 1970. */
  until: number;
}

/** Whether a stored value is an action, because another version may have stored a different format. */
const isDeed = (value: unknown): value is Deed =>
  typeof value === 'object' &&
  value !== null &&
  'section' in value &&
  'id' in value &&
  typeof value.id === 'number' &&
  'act' in value &&
  typeof value.act === 'object' &&
  value.act !== null &&
  'fields' in value.act &&
  'change' in value.act &&
  'done' in value.act;

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  typeof value.path === 'string' &&
  isOwnPath(value.path) &&
  'until' in value &&
  typeof value.until === 'number' &&
  value.until > Date.now() &&
  (!('deed' in value) || isDeed(value.deed));

const read = (): Wish | null => readStored<Kept | null>(KEY, isKept, null);

export function storeWish(wish: Wish): void {
  writeStored(KEY, { ...wish, until: Date.now() + 1000 * limits().confirm_seconds } satisfies Kept);
}

/** Stores the wanted page, and keeps an action that is already stored for the same page. */
export function storePath(path: string): void {
  const kept = read();
  storeWish(kept?.path === path ? kept : { path });
}

export const wishedPath = (): string | null => read()?.path ?? null;

/** Returns the action that was wanted on this page and clears the wish, because nothing else in it applies after login. */
export function takeDeed(path: string): Deed | undefined {
  const wish = read();
  if (wish) writeStored(KEY, null);
  return wish?.path === path ? wish.deed : undefined;
}
