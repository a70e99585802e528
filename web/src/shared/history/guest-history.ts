/** A guest's history in local storage, the same in every tab. */
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '@/lib/storage';
import { EMPTY, isHistory, type History } from './entries';

const KEY = 'lantern.history';
const listeners = new Set<() => void>();
let current: History | null = null;

const read = (): History => (current ??= readStored(KEY, isHistory, EMPTY));

const tell = () => {
  for (const listener of listeners) listener();
};

addEventListener('storage', ({ key }) => {
  if (key !== KEY && key !== null) return;
  current = null;
  tell();
});

export const guestHistory = read;

export function changeGuestHistory(change: (history: History) => History): void {
  current = change(read());
  writeStored(KEY, current);
  tell();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useGuestHistory = (): History => useSyncExternalStore(subscribe, read);
