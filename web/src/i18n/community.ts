/** Texts of these screens only, loaded with them. The server reads the same files. */
import { use } from 'react';
import type { Lang } from '@/lib/audience';
import { useVisitor } from '@/lib/visitor';
import type en from './community/en.json';

type Texts = typeof en.community;
export type TextKey = keyof Texts;

const files = import.meta.glob<typeof en>('./community/*.json', { import: 'default' });
const loaded = new Map<Lang, Promise<Texts>>();

function load(lang: Lang): Promise<Texts> {
  const known = loaded.get(lang);
  if (known) return known;
  const file = files[`./community/${lang}.json`];
  if (!file) throw new Error(`no texts for ${lang}`);
  const texts = file().then(({ community }) => community);
  loaded.set(lang, texts);
  return texts;
}

export type Say = (key: TextKey, values?: Record<string, string | number>) => string;

export function useSay(): Say {
  const texts = use(load(useVisitor().lang));
  return (key, values = {}) =>
    texts[key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));
}
