/** What the server knew when it sent the page: the JSON it writes under the page's content. */
import { isOneOf } from '@/search/listing';
import { readCookie } from './cookies';

export const LANGS = ['en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl'] as const;
export type Lang = (typeof LANGS)[number];
export const GENDERS = ['str', 'she', 'gay'] as const;
export type Gender = (typeof GENDERS)[number];

export interface Boot {
  /** ISO 3166-1 alpha-2; where it is unknown, the one most likely for the language. */
  country: string;
  lang: Lang;
  gender: Gender;
  /** The visitor's country asks for an age check. */
  ageGate: boolean;
  /** What the calls of this page would answer, by their URL. */
  answers: Record<string, unknown>;
}

/** Reads the boot JSON; a page without it (the dev server's) starts from the cookies. */
export function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent;
  const sent = (text ? JSON.parse(text) : {}) as Partial<Boot> & { age_gate?: boolean };
  const { country = 'US', answers = {} } = sent;
  const lang = sent.lang ?? readCookie('app_lang');
  const gender = sent.gender ?? readCookie('gender');
  return {
    country,
    lang: isOneOf(LANGS, lang) ? lang : 'en',
    gender: isOneOf(GENDERS, gender) ? gender : 'str',
    ageGate: sent.age_gate === true,
    answers,
  };
}
