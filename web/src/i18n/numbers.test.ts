/** No text names a number that an operator may configure: the server says it, and it has a place in the text. */
import { describe, expect, it } from 'vitest';
import { LANGS } from '@/lib/audience';

interface Tree {
  [key: string]: string | Tree;
}
const files = import.meta.glob<Tree>('./*/*.json', {
  base: '../../../config/texts',
  import: 'default',
  eager: true,
});

const flatten = (tree: Tree, prefix: string): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[`${prefix}.${key}`, value] as [string, string]]
      : flatten(value, `${prefix}.${key}`),
  );

/** Numbers that nobody can configure, and why. */
const FIXED: Record<string, string> = {
  'common.duration.short': 'the kinds of durations are words of addresses',
  'common.duration.medium': 'the same',
  'common.duration.long': 'the same',
  'errors.video_bad_filename': 'the ending of a file',
  'moderate.difference': 'the bits of a fingerprint',
  'common.date.day': 'the kinds of dates are words of addresses',
  'common.date.week': 'the same',
  'common.date.month': 'the same',
  'common.date.year': 'the same',
  'errors.days_invalid': 'nothing comes back before a day is over',
  'moderate.stepLead': 'the digits of a one-time password (RFC 6238)',
};
/** The age of adults and the laws that ask for it. */
const LEGAL = /18 U\.S\.C\.|\b2257A?\b|\b18\b/g;
/** Where other languages have an article, Japanese counts. */
const ARTICLE = /(?<!\p{Nd})1(?!\p{Nd})/gu;
const UNITS =
  'seconds?|minutes?|hours?|days?|weeks?|months?|comments?|characters?|categor(y|ies)|models?|pictures?|photos?|searches|videos?|files?';
/** In words, where a language is easily searched for them. */
const SPELLED = new RegExp(
  `\\b(two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|one) (${UNITS})\\b`,
  'i',
);

describe.each(LANGS)('%s', (lang) => {
  const texts = Object.entries(files)
    .filter(([path]) => path.endsWith(`/${lang}.json`))
    .flatMap(([path, tree]) => flatten(tree, path.split('/')[1] ?? ''));
  const named = ([, text]: [string, string]): boolean => {
    const without = text.replace(/\{\{.*?\}\}/g, '').replace(LEGAL, '');
    const said = lang === 'ja' ? without.replace(ARTICLE, '') : without;
    return /\p{Nd}/u.test(said) || (lang === 'en' && SPELLED.test(said));
  };

  it('names no number that is configured', () => {
    expect(texts.length).toBeGreaterThan(500);
    const keys = texts.filter(named).map(([key]) => key);
    expect(keys.filter((key) => !(key in FIXED))).toEqual([]);
  });
});
