import { describe, expect, it } from 'vitest';
import type en from './community/en.json';
import { LANGS } from '@/lib/audience';

const files = import.meta.glob<typeof en>('./community/*.json', {
  import: 'default',
  eager: true,
});
const texts = (lang: string): Record<string, string> =>
  files[`./community/${lang}.json`]?.community ?? {};
const places = (text = '') => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name);
const words = (text: string) => /\p{L}{3,}/u.test(text.replace(/\{\{.*?\}\}/g, ''));
/** Words that really are the same as in English, by language. */
const SAME: Partial<Record<string, string[]>> = {
  de: ['relationship_single'],
  es: ['orientation_bisexual'],
  fr: ['gender_couple'],
  it: ['relationship_single'],
  nl: ['gender_male'],
};
const everywhere = ['orientation_gay'];

describe.each(LANGS)('%s', (lang) => {
  it('has the texts of English with their places', () => {
    expect(Object.keys(texts(lang))).toEqual(Object.keys(texts('en')));
    for (const [key, text] of Object.entries(texts(lang))) {
      expect(places(text), key).toEqual(places(texts('en')[key]));
    }
  });
});

describe.each(LANGS.filter((lang) => lang !== 'en'))('%s', (lang) => {
  it('is translated', () => {
    const left = Object.entries(texts(lang)).filter(
      ([key, text]) =>
        text === texts('en')[key] &&
        words(text) &&
        !everywhere.includes(key) &&
        !SAME[lang]?.includes(key),
    );
    expect(left).toEqual([]);
  });
});
