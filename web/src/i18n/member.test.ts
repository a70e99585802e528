import { describe, expect, it } from 'vitest';
import { LANGS } from '@/lib/audience';

type Texts = Record<string, string>;
const files = import.meta.glob<Texts>('./member/*.json', {
  import: 'default',
  eager: true,
});
const texts = (lang: string): Texts => files[`./member/${lang}.json`] ?? {};
const english = texts('en');
const places = (text = '') => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

/** Words that really are the same as in English, by language. */
const SAME: Partial<Record<string, string[]>> = {};

describe.each(LANGS)('%s', (lang) => {
  it('has the texts of English with their places', () => {
    expect(Object.keys(texts(lang))).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(texts(lang))) {
      expect(places(text), key).toEqual(places(english[key]));
      expect(text.trim(), key).not.toBe('');
    }
  });
});

describe.each(LANGS.filter((lang) => lang !== 'en'))('%s', (lang) => {
  it('is translated', () => {
    const left = Object.keys(english).filter(
      (key) => texts(lang)[key] === english[key] && !SAME[lang]?.includes(key),
    );
    expect(left).toEqual([]);
  });
});
