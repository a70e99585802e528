/** Whether the player takes up the whole width. This applies only to windows with a second column. */
import { readStored, writeStored } from '@/lib/storage';
import { createStore } from '@/lib/store';

const KEY = 'lantern.theatre';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
const store = createStore(readStored(KEY, isFlag, false));

export const useTheatre = store.useValue;

export function toggleTheatre(): void {
  store.write(!store.read());
  writeStored(KEY, store.read());
}
