/** Texts that only some screens need: a namespace of its own, loaded with those screens. */
import i18next from 'i18next';
import { use } from 'react';
import type { Lang } from '@/lib/audience';
import { useVisitor } from '@/lib/visitor';
import { loader, type Files } from './loader';

type Values = Record<string, string | number>;
/** The text of a key, with values in the places of their names. */
export type Say<Key extends string> = (key: Key, values?: Values) => string;

/** A plural is asked for without the ending of its form. */
export type KeyStem<Key> = Key extends `${infer Stem}_${'one' | 'other'}` ? Stem : Key;

/** What loads a namespace for a language and answers its texts, and the same as a hook that suspends meanwhile. */
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
