/** A guest's history in local storage, synchronized across tabs. */
import { readStored, writeStored } from '@/lib/storage';
import { createStore } from '@/lib/store';
import { EMPTY, isHistory, type History } from './stored';

const KEY = 'lantern.history';
const stored = (): History => readStored(KEY, isHistory, EMPTY);
const store = createStore(stored());

addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) store.write(stored());
});

export const guestHistory = store.read;
export const useGuestHistory = store.useValue;
export const useGuestHistoryPart = store.usePart;

export function changeGuestHistory(change: (history: History) => History): void {
  const changed = change(store.read());
  writeStored(KEY, changed);
  store.write(changed);
}
