/** Texts of the member area, loaded with it. */
import { useCallback } from 'react';
import { fill, lazyTexts } from './lazy-texts';
import type en from './member/en.json';

const texts = lazyTexts(import.meta.glob<typeof en>('./member/*.json', { import: 'default' }));

export type AreaSay = (key: keyof typeof en, values?: Record<string, string | number>) => string;

/** The texts in the visitor's language; suspends until they are here. */
export function useAreaSay(): AreaSay {
  const known = texts.useTexts();
  return useCallback((key, values) => fill(known[key], values), [known]);
}
