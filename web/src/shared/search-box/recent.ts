/** Recent searches, which are stored only on this device. */
import { readStored, writeStored } from '@/lib/storage';
import { createStore } from '@/lib/store';

const KEY = 'lantern.searches';
const MAX_RECENT = 3;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

const store = createStore(readStored(KEY, isTexts, []).slice(0, MAX_RECENT));

const keep = (texts: string[]): void => {
  writeStored(KEY, texts);
  store.write(texts);
};

addEventListener('storage', ({ key }) => {
  if (key === KEY || key === null) store.write(readStored(KEY, isTexts, []));
});

export const recentSearches = store.read;
export const useRecentSearches = store.useValue;

export const rememberSearch = (text: string): void =>
  keep([text, ...store.read().filter((old) => old !== text)].slice(0, MAX_RECENT));

export const forgetSearch = (text: string): void =>
  keep(store.read().filter((old) => old !== text));

export const forgetSearches = (): void => keep([]);
