import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '@/lib/audience';

interface Tree {
  [key: string]: string | Tree;
}
const files = import.meta.glob<Tree>('./common/*.json', { import: 'default', eager: true });

const searchFiles = import.meta.glob<Tree>('./search/*.json', {
  import: 'default',
  eager: true,
});

const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
const texts = (lang: Lang) =>
  new Map([
    ...flatten(files[`./common/${lang}.json`] ?? {}),
    ...flatten(searchFiles[`./search/${lang}.json`] ?? {}, 'search-extras.'),
  ]);

const PLURAL = /_(zero|one|two|few|many|other)$/;
const base = (key: string) => key.replace(PLURAL, '');
const english = texts('en');
const others = LANGS.filter((lang) => lang !== 'en');

/** Words that really are the same as in English, by language. */
const SAME: Partial<Record<Lang, string[]>> = {
  ru: [],
  de: [
    'gender.she',
    'gender.gay',
    'nav.videos',
    'nav.models',
    'nav.playlists',
    'nav.community',
    'suggest.model',
    'filter.tattoo',
    'filter.piercing',
    'model.videos',
    'value.hair.blonde',
    'count.models',
  ],
  fr: [
    'nav.albums',
    'nav.playlists',
    'header.menu',
    'header.orientation',
    'action.notices',
    'gender.she',
    'gender.gay',
    'filter.piercing',
  ],
  es: ['gender.she', 'gender.gay', 'filter.piercing', 'value.no'],
  pl: ['header.menu', 'gender.she'],
  it: [
    'header.menu',
    'gender.she',
    'gender.gay',
    'filter.piercing',
    'value.no',
    'count.videos',
    'nav.videos',
    'nav.community',
    'model.videos',
  ],
  pt: ['nav.playlists', 'header.menu', 'gender.she', 'gender.gay', 'filter.piercing'],
  nl: [
    'nav.albums',
    'nav.community',
    'header.menu',
    'gender.she',
    'gender.gay',
    'filter.type',
    'filter.piercing',
    'value.size.medium',
    'count.videos',
    'count.models',
  ],
};
/** Only a placeholder, a unit or punctuation: nothing to translate. */
const isNeutral = (text: string) =>
  text === 'min' || !/\p{L}{3,}/u.test(text.replace(/\{\{.*?\}\}/g, ''));

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort();

describe.each(LANGS)('%s', (lang) => {
  const own = texts(lang);

  it('has exactly the keys of English, plural forms apart', () => {
    const keys = (map: Map<string, string>) => [...new Set([...map.keys()].map(base))].sort();
    expect(keys(own)).toEqual(keys(english));
  });

  it('has each plural form its language distinguishes, and no other', () => {
    const wanted = [...new Intl.PluralRules(lang).resolvedOptions().pluralCategories].sort();
    const plurals = new Set([...english.keys()].filter((key) => PLURAL.test(key)).map(base));
    for (const key of plurals) {
      const forms = [...own.keys()].filter((other) => base(other) === key);
      expect(forms.map((form) => form.slice(key.length + 1)).sort(), key).toEqual(wanted);
    }
  });

  it('keeps the placeholders of English and leaves nothing empty', () => {
    for (const [key, text] of own) {
      const source = english.get(key) ?? english.get(`${base(key)}_other`) ?? '';
      expect(placeholders(text), key).toEqual(placeholders(source));
      expect(text.trim(), key).not.toBe('');
    }
  });
});

describe.each(others)('%s', (lang) => {
  it('is translated', () => {
    const left = [...texts(lang)]
      .filter(([key, text]) => text === english.get(key) && !isNeutral(text))
      .map(([key]) => base(key))
      .filter((key) => !SAME[lang]?.includes(key));
    expect(left).toEqual([]);
  });
});
