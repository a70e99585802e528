import { describe, expect, it } from 'vitest';
import { LANGS } from '@/lib/audience';

interface Tree {
  [key: string]: string | Tree;
}
const files = import.meta.glob<Tree>(
  ['./account/*.json', './contact/*.json', './site/*.json', './topics/*.json'],
  { import: 'default', eager: true },
);

const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
const folders = [...new Set(Object.keys(files).map((path) => path.replace(/\/\w+\.json$/, '')))];
const texts = (folder: string, lang: string) =>
  new Map(flatten(files[`${folder}/${lang}.json`] ?? {}));
const places = (text = '') => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

it('finds the folders', () => {
  expect(folders).toHaveLength(4);
});

describe.each(folders)('%s', (folder) => {
  const english = texts(folder, 'en');

  it.each(LANGS)('%s has the texts of English with their places', (lang) => {
    const own = texts(folder, lang);
    expect([...own.keys()]).toEqual([...english.keys()]);
    for (const [key, text] of own) {
      expect(places(text), key).toEqual(places(english.get(key)));
      expect(text.trim(), key).not.toBe('');
    }
  });

  it.each(LANGS.filter((lang) => lang !== 'en'))('%s is translated', (lang) => {
    const left = [...texts(folder, lang)].filter(([key, text]) => text === english.get(key));
    expect(left).toEqual([]);
  });
});
