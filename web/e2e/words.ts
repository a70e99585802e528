/** Reads the site's texts in a language from its own files. */
import { readFileSync } from 'node:fs';

interface Texts {
  [name: string]: string | Texts;
}

/** Returns a function that looks up texts in a namespace and fills their placeholders. Keys may be nested: `nav.saved`. */
export function speaker(namespace: string, lang: string) {
  const file = new URL(`../../config/texts/${namespace}/${lang}.json`, import.meta.url);
  const read = JSON.parse(readFileSync(file, 'utf8')) as Texts & { account?: Texts };
  const texts: Texts = read.account ?? read;
  return (name: string, places: Record<string, string> = {}): string => {
    const text = name
      .split('.')
      .reduce<string | Texts | undefined>(
        (level, key) => (typeof level === 'object' ? level[key] : undefined),
        texts,
      );
    if (typeof text !== 'string') throw new Error(`no text ${name}`);
    return Object.entries(places).reduce(
      (said, [at, what]) => said.replace(`{{${at}}}`, what),
      text,
    );
  };
}
