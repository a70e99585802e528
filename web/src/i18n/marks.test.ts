/** Checks each language's typography: quotation marks, spaces and the form of address. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '@/lib/audience';

interface Tree {
  [key: string]: string | Tree;
}
const files = import.meta.glob<Tree>('./*/*.json', {
  base: '../../../config/texts',
  import: 'default',
  eager: true,
});

const flatten = (tree: Tree): string[] =>
  Object.values(tree).flatMap((value) => (typeof value === 'string' ? [value] : flatten(value)));
const textsOf = (lang: Lang) =>
  Object.entries(files)
    .filter(([path]) => path.endsWith(`/${lang}.json`))
    .flatMap(([, tree]) => flatten(tree));

const QUOTES: Record<Lang, string> = {
  en: '“”',
  de: '„“',
  fr: '«»',
  es: '«»',
  it: '«»',
  pt: '“”',
  nl: '‘',
  pl: '„”',
  ru: '«»',
  ja: '「」',
};

const words = (list: string) => new RegExp(`(?<!\\p{L})(?:${list})(?!\\p{L})`, 'u');
/** Words that belong to the form of address that the language doesn't use here. */
const OTHER_ADDRESS: Partial<Record<Lang, RegExp>> = {
  de: words('Ihnen|Ihre[mnrs]?|[Gg]eben Sie|[A-Z]\\p{Ll}+en Sie'),
  fr: words('tu|te|toi|ton|ta|tes|Tu|Ton|Ta|Tes|[Rr]echarge|[Rr]éessaie'),
  es: words('usted|ustedes|Usted|Ustedes'),
  it: words('Lei|Suo|Sua'),
  nl: words('u|uw|Uw'),
  pl: words('ty|ciebie|tobie|tobą|tw[oó]j\\p{L}*|Pan|Pani|Państwo'),
  ru: words('ты|тебя|тебе|тобой|тво[йяеёи]\\p{L}*|Ты|Тебя|Тво[йяеёи]\\p{L}*'),
};

describe.each(LANGS)('%s', (lang) => {
  const texts = textsOf(lang);

  it('uses its own quotation marks', () => {
    const others = texts.filter((text) =>
      [...text.matchAll(/[«»„“”‘「」"]/gu)].some(([mark]) => !QUOTES[lang].includes(mark)),
    );
    expect(others).toEqual([]);
  });

  it('uses curly apostrophes', () =>
    expect(texts.filter((text) => /\p{L}'\p{L}/u.test(text))).toEqual([]));

  it('addresses people consistently', () => {
    const other = OTHER_ADDRESS[lang];
    expect(texts.filter((text) => other?.test(text))).toEqual([]);
  });
});

it('keeps French punctuation on the line of its word', () =>
  expect(textsOf('fr').filter((text) => / [:;!?»]|« /.test(text))).toEqual([]));

it('uses full-width Japanese punctuation', () =>
  expect(textsOf('ja').filter((text) => /[^\p{ASCII}][?:~!]|〜/u.test(text))).toEqual([]));

it('uses the words of the glossary', () => {
  const glossary = readFileSync('../docs/WORDS.md', 'utf8');
  const rows = glossary.split('\n').filter((line) => line.startsWith('| `'));
  const [head] = glossary.split('\n').filter((line) => line.startsWith('| Text'));
  const cells = (line = '') =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [, ...langs] = cells(head);
  const textAt = (path: string, lang: string) => {
    const [namespace = '', key = ''] = path.split('/');
    return key
      .split('.')
      .reduce<string | Tree | undefined>(
        (tree, part) => (typeof tree === 'object' ? tree[part] : undefined),
        files[`./${namespace}/${lang}.json`],
      );
  };
  expect([...langs].sort()).toEqual([...LANGS].sort());
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const [path = '', ...texts] = cells(row);
    const key = path.replaceAll('`', '');
    expect(texts, key).toEqual(langs.map((lang) => textAt(key, lang)));
  }
});
