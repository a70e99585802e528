import i18next from 'i18next';
import type { Lang } from '@/lib/audience';

/** A namespace's texts by file, as returned by `import.meta.glob('./name/*.json')`. */
export type Files = Record<string, () => Promise<object>>;

/** Returns a function that adds a namespace's texts in a language to i18next, once for each language. */
export function loader(namespace: string, files: Files): (lang: Lang) => Promise<void> {
  const loading = new Map<Lang, Promise<void>>();
  const load = async (lang: Lang) => {
    const file = files[`./${namespace}/${lang}.json`];
    if (!file) throw new Error(`no texts for ${lang}`);
    i18next.addResourceBundle(lang, namespace, await file());
  };
  return (lang) => {
    let texts = loading.get(lang);
    if (!texts) {
      texts = load(lang);
      loading.set(lang, texts);
      // Loading may have failed because the browser is offline, so the next screen that needs the texts retries.
      texts.catch(() => loading.delete(lang));
    }
    return texts;
  };
}
