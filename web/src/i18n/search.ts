/** Texts of the search's help: apart from the app's own, because only searches need them. */
import i18next, { type TFunction } from 'i18next';
import { use } from 'react';
import type { Lang } from '@/lib/audience';
import { useVisitor } from '@/lib/visitor';
import type en from './search/en.json';

const files = import.meta.glob<typeof en>('./search/*.json', { import: 'default' });
const loaded = new Map<string, Promise<void>>();

async function load(lang: Lang): Promise<void> {
  const file = files[`./search/${lang}.json`];
  if (!file) throw new Error(`no texts for ${lang}`);
  i18next.addResourceBundle(lang, 'search', await file());
}

/** The texts in the visitor's language; suspends until they are here. */
export function useSearchT(): TFunction<'search'> {
  const { lang } = useVisitor();
  let loading = loaded.get(lang);
  if (!loading) {
    loading = load(lang);
    loaded.set(lang, loading);
  }
  use(loading);
  return i18next.getFixedT(lang, 'search');
}
