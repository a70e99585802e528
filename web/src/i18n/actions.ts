/** Texts of what a visitor does with things: loaded with the buttons. */
import { useCallback } from 'react';
import { fill, lazyTexts } from './lazy-texts';
import type en from './actions/en.json';

const texts = lazyTexts(import.meta.glob<typeof en>('./actions/*.json', { import: 'default' }));

export type Say = (key: keyof typeof en, values?: Record<string, string | number>) => string;

/** The texts in the visitor's language; suspends until they are here. */
export function useSay(): Say {
  const known = texts.useTexts();
  return useCallback((key, values) => fill(known[key], values), [known]);
}
