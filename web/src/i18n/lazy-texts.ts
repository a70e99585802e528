/** Texts that only some screens need, one file a language, loaded with those screens. */
import { use } from 'react';
import type { Lang } from '@/lib/audience';
import { useVisitor } from '@/lib/visitor';

type Values = Record<string, string | number>;

/** A text with `{{name}}` replaced by the values. */
export const fill = (text: string, values: Values = {}): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));

export interface LazyTexts<Texts> {
  /** The texts of a language. */
  load: (lang: Lang) => Promise<Texts>;
  /** Those of the visitor's language; suspends until they are here. */
  useTexts: () => Texts;
}

/** `files` as `import.meta.glob('./folder/*.json', { import: 'default' })` gives them. */
export function lazyTexts<Texts>(files: Record<string, () => Promise<Texts>>): LazyTexts<Texts> {
  const loaded = new Map<Lang, Promise<Texts>>();
  const load = (lang: Lang): Promise<Texts> => {
    const known = loaded.get(lang);
    if (known) return known;
    const file = Object.entries(files).find(([path]) => path.endsWith(`/${lang}.json`))?.[1];
    if (!file) throw new Error(`no texts for ${lang}`);
    const texts = file();
    loaded.set(lang, texts);
    // Offline for a moment: the next screen that needs them asks again.
    texts.catch(() => loaded.delete(lang));
    return texts;
  };
  return { load, useTexts: () => use(load(useVisitor().lang)) };
}
