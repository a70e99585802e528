/** Checks that no text contains a number that the operator can configure. Such numbers need a placeholder that the server fills. */
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

/** Numbers that can't be configured, and why. */
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
  'errors.chapter_unreadable': 'the form of a time',
  'errors.chapter_start': 'every film begins there',
  'upload.chaptersHint': 'the same, and the form of a time',
  'upload.onlyPicture': 'the name of a format',
  'errors.days_invalid': 'nothing comes back before a day is over',
  'moderate.stepLead': 'the digits of a one-time password (RFC 6238)',
};
/** The age of majority, and laws that refer to it. */
const LEGAL = /18 U\.S\.C\.|\b2257A?\b|\b18\b/g;
/** In Japanese, some texts have a number where other languages have an article. */
const ARTICLE = /(?<!\p{Nd})1(?!\p{Nd})/gu;
const UNITS =
  'seconds?|minutes?|hours?|days?|weeks?|months?|comments?|characters?|categor(y|ies)|models?|pictures?|photos?|searches|videos?|files?';
/** Spelled-out numbers in languages where they are easy to find. */
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

  it('contains no configurable number', () => {
    expect(texts.length).toBeGreaterThan(500);
    const keys = texts.filter(named).map(([key]) => key);
    expect(keys.filter((key) => !(key in FIXED))).toEqual([]);
  });
});
