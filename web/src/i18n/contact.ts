/** Texts of letters and reports, loaded with their dialog. */
import { fill, lazyTexts } from './lazy-texts';
import type en from './contact/en.json';

type TextKey = keyof typeof en;

const texts = lazyTexts(import.meta.glob<typeof en>('./contact/*.json', { import: 'default' }));

export function useSay(): (key: TextKey, values?: Record<string, string | number>) => string {
  const known = texts.useTexts();
  return (key, values) => fill(known[key], values);
}
