/** Languages of captions: all with a two-letter code. */

interface Language {
  code: string;
  name: string;
}

/** Stands for several languages, so captions can’t have it. */
const COLLECTION = 'bh';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Returns all languages with their names in the given language, in its alphabetical order. */
export function captionLanguages(lang: string): Language[] {
  const names = new Intl.DisplayNames([lang], { type: 'language', fallback: 'none' });
  const languages: Language[] = [];
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const code = first + second;
      const name = names.of(code);
      // Withdrawn codes have a name, too.
      if (name && code !== COLLECTION && Intl.getCanonicalLocales(code)[0] === code)
        languages.push({ code, name });
    }
  }
  const { compare } = new Intl.Collator(lang);
  return languages.sort((one, other) => compare(one.name, other.name));
}
