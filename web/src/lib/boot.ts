/** What the server knew when it sent the page: the JSON it writes into the head. */
import { isOneOf } from '@/search/listing';
import { readCookie } from './cookies';

export const LANGS = ['en', 'ru', 'de', 'fr', 'es', 'pl', 'it', 'pt', 'ja', 'nl'] as const;
export type Lang = (typeof LANGS)[number];
export const GENDERS = ['str', 'she', 'gay'] as const;
export type Gender = (typeof GENDERS)[number];

export interface Boot {
  /** ISO 3166-1 alpha-2, or null where the server could not tell. */
  country: string | null;
  lang: Lang;
  /** The visitor's country asks for an age check. */
  ageGate: boolean;
}

/** Reads the boot JSON; a page without it (the dev server) starts from the cookies. */
export function readBoot(): Boot {
  const text = document.getElementById('boot')?.textContent;
  const sent = (text ? JSON.parse(text) : {}) as Record<string, unknown>;
  const lang = typeof sent.lang === 'string' ? sent.lang : readCookie('app_lang');
  const code = sent.country_code;
  return {
    country: typeof code === 'string' && /^[A-Z]{2}$/.test(code) && code !== 'XX' ? code : null,
    lang: isOneOf(LANGS, lang) ? lang : 'en',
    ageGate: sent.age_gate === true,
  };
}

export function readGender(): Gender {
  const gender = readCookie('gender');
  return isOneOf(GENDERS, gender) ? gender : 'str';
}
