/** Loads texts that only some screens need. They are in separate namespaces and load with those screens. */
import i18next from 'i18next';
import { use } from 'react';
import type { Lang } from '@/lib/audience';
import { useVisitor } from '@/lib/visitor';
import { loader, type Files } from './loader';

type Values = Record<string, string | number>;
/** Returns a key's text with its placeholders filled. */
export type Say<Key extends string> = (key: Key, values?: Values) => string;

/** Plurals are requested without the plural suffix. */
export type KeyStem<Key> = Key extends `${infer Stem}_${'one' | 'other'}` ? Stem : Key;

/** Returns a loader that resolves to the namespace's texts, and a hook that suspends until they are loaded. */
export function namespace<Key extends string>(name: string, files: Files) {
  const ready = loader(name, files);
  const said = new Map<Lang, Promise<Say<Key>>>();
  const load = (lang: Lang): Promise<Say<Key>> => {
    let say = said.get(lang);
    if (!say) {
      say = ready(lang).then(
        () => i18next.getFixedT(lang, name as 'common') as unknown as Say<Key>,
      );
      said.set(lang, say);
      say.catch(() => said.delete(lang));
    }
    return say;
  };
  return { load, useSay: (): Say<Key> => use(load(useVisitor().lang)) };
}
