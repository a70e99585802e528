/** Checks every namespace in every language: it must be complete, contain the same placeholders, and be translated. */
import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '@/lib/audience';

interface Tree {
  [key: string]: string | Tree;
}
const files = import.meta.glob<Tree>(['./*/*.json', '!./errors/*'], {
  base: '../../../config/texts',
  import: 'default',
  eager: true,
});
const NAMESPACES = [...new Set(Object.keys(files).map((path) => path.split('/')[1] ?? ''))];

const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
const textsOf = (namespace: string, lang: Lang) =>
  new Map(flatten(files[`./${namespace}/${lang}.json`] ?? {}));

const PLURAL = /_(zero|one|two|few|many|other)$/;
/** Namespaces with plurals. In other namespaces, such a suffix is part of the key. */
const COUNTED = ['album', 'common', 'community', 'saved', 'search'];

/** Texts that are the same in this language as in English, by namespace. */
const SAME: Record<string, Partial<Record<Lang, string[]>>> = {
  common: {
    ru: [],
    de: [
      'gender.she',
      'gender.gay',
      'nav.videos',
      'nav.models',
      'nav.playlists',
      'nav.community',
      'suggest.model',
      'suggest.video',
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
  },
  account: {
    de: ['account.moderate'],
    fr: ['account.bell'],
    it: ['account.home', 'account.password', 'account.privacy'],
  },
  site: {
    de: ['information.cookies_policy'],
    fr: ['information.cookies_policy'],
    it: ['information.privacy'],
  },
  actions: { de: ['videos'], fr: ['description'] },
  member: { fr: ['conversations'] },
  player: { de: ['color.cyan'], fr: ['volume', 'color.cyan'] },
  upload: {
    es: ['cropZoom'],
    fr: ['captionsKind', 'cropZoom'],
    it: ['captionsFile', 'cropZoom'],
    pt: ['cropZoom'],
    nl: ['cropZoom'],
    de: ['cropZoom'],
  },
  moderate: {
    de: ['code', 'models', 'section_playlist', 'section_model'],
    fr: ['code', 'description', 'section_playlist', 'section_message'],
    it: ['file', 'section_playlist'],
    nl: ['code', 'uploader', 'section_model'],
    pt: ['section_playlist'],
  },
  community: {
    de: [
      'community.videos',
      'community.playlists',
      'community.website',
      'community.relationship_single',
    ],
    es: ['community.orientation_bisexual', 'community.orientation_gay'],
    fr: [
      'community.albums',
      'community.playlists',
      'community.gender_couple',
      'community.notifications',
      'community.orientation_gay',
    ],
    it: [
      'community.albums',
      'community.playlists',
      'community.relationship_single',
      'community.orientation_gay',
    ],
    nl: [
      'community.albums',
      'community.website',
      'community.gender_male',
      'community.orientation_gay',
    ],
    pl: ['community.albums'],
    pt: ['community.playlists', 'community.orientation_gay'],
  },
};
/** Namespaces in which a text may consist only of a placeholder, unit or punctuation, which can't be translated. */
const WITH_NEUTRAL = [...COUNTED, 'player'];
const isNeutral = (text: string) =>
  text === 'min' || !/\p{L}{3,}/u.test(text.replace(/\{\{.*?\}\}/g, ''));

const places = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort();

it('finds the namespaces', () => expect(NAMESPACES).toHaveLength(17));

describe.each(NAMESPACES)('%s', (namespace) => {
  const english = textsOf(namespace, 'en');
  const mayBeNeutral = WITH_NEUTRAL.includes(namespace);
  const base = (key: string) => (COUNTED.includes(namespace) ? key.replace(PLURAL, '') : key);

  describe.each(LANGS)('%s', (lang) => {
    const own = textsOf(namespace, lang);

    it('has exactly the keys of English, apart from plural forms', () => {
      const keys = (map: Map<string, string>) => [...new Set([...map.keys()].map(base))];
      expect(keys(own)).toEqual(keys(english));
    });

    it('has each plural form of its language and no other', () => {
      const wanted = [...new Intl.PluralRules(lang).resolvedOptions().pluralCategories].sort();
      const plurals = new Set([...english.keys()].filter((key) => base(key) !== key).map(base));
      for (const key of plurals) {
        const forms = [...own.keys()].filter((other) => base(other) === key);
        expect(forms.map((form) => form.slice(key.length + 1)).sort(), key).toEqual(wanted);
      }
    });

    it('has the placeholders of English and no empty text', () => {
      for (const [key, text] of own) {
        const source = english.get(key) ?? english.get(`${base(key)}_other`) ?? '';
        expect(places(text), key).toEqual(places(source));
        expect(text.trim(), key).not.toBe('');
      }
    });

    if (lang === 'en') return;
    it('is translated', () => {
      const left = [...own]
        .filter(([key, text]) => text === english.get(key) && !(mayBeNeutral && isNeutral(text)))
        .map(([key]) => base(key))
        .filter((key) => !SAME[namespace]?.[lang]?.includes(key));
      expect(left).toEqual([]);
    });
  });
});
