/**
 * What a guest wanted who went to sign up: the page, and what was to be done there. This browser keeps it, because the way leads
 * through a mail, whose link opens in another window, and is forgotten when that link ends.
 */
import { limits } from '@/lib/limits';
import { readStored, writeStored } from '@/lib/storage';
import type { Deed } from '@/shared/actions/deed';
import { isOwnPath } from './next';

const KEY = 'lantern.wish';
export interface Wish {
  path: string;
  /** Left out where the page itself was wanted. */
  deed?: Deed | undefined;
}

interface Kept extends Wish {
  /** Milliseconds since 1970. */
  until: number;
}

/** What another version kept may look otherwise. */
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

export function keepWish(wish: Wish): void {
  writeStored(KEY, { ...wish, until: Date.now() + 1000 * limits().confirm_seconds } satisfies Kept);
}

/** The page is wanted; so is what was to be done there, where that is kept. */
export function keepPath(path: string): void {
  const kept = read();
  keepWish(kept?.path === path ? kept : { path });
}

export const wishedPath = (): string | null => read()?.path ?? null;

/** What was to be done on this page. Whoever has signed in wants nothing else of what was kept. */
export function takeDeed(path: string): Deed | undefined {
  const wish = read();
  if (wish) writeStored(KEY, null);
  return wish?.path === path ? wish.deed : undefined;
}
