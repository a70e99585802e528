/** The last searches, stored on this device only. */
import { readStored, writeStored } from '@/lib/storage';

const KEY = 'lantern.searches';
const KEPT = 3;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

export const recentSearches = (): string[] => readStored(KEY, isTexts, []).slice(0, KEPT);

export const rememberSearch = (text: string): void => {
  writeStored(KEY, [text, ...recentSearches().filter((old) => old !== text)].slice(0, KEPT));
};
