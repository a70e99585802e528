/** A guest's saved searches in local storage, synchronized across tabs. */
import { readStored, writeStored } from '@/lib/storage';
import { createStore } from '@/lib/store';
import { isSavedList, type SavedSearch } from './searches';

const KEY = 'lantern.saved';
const stored = (): SavedSearch[] => readStored(KEY, isSavedList, []);
const store = createStore(stored());

addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) store.write(stored());
});

export const useGuestSaved = store.useValue;

export function changeGuestSaved(change: (list: SavedSearch[]) => SavedSearch[]): void {
  const changed = change(store.read());
  writeStored(KEY, changed);
  store.write(changed);
}
