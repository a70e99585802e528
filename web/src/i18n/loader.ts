import i18next from 'i18next';
import type { Lang } from '@/lib/audience';

/** Texts of one namespace by file, as returned by `import.meta.glob('./name/*.json')`. */
export type Files = Record<string, () => Promise<object>>;

/** Returns a function that adds a namespace's texts of a language to i18next, once. */
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
      // Offline: let the next screen that needs them retry.
      texts.catch(() => loading.delete(lang));
    }
    return texts;
  };
}
