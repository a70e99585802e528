/** Texts of signing in and of one's account, loaded with them. The server reads the same files for titles. */
import { useCallback } from 'react';
import { fill, lazyTexts } from './lazy-texts';
import type en from './account/en.json';

export type TextKey = keyof typeof en.account;
export type Say = (key: TextKey, values?: Record<string, string | number>) => string;

const texts = lazyTexts(import.meta.glob<typeof en>('./account/*.json', { import: 'default' }));

/** Suspends until the texts are here. */
export function useSay(): Say {
  const { account } = texts.useTexts();
  return useCallback((key, values) => fill(account[key], values), [account]);
}
