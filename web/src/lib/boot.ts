/** What the server knew when it sent the page. */
import { LANGS } from './audience';
import { readCookie, type CookieName } from './cookies';
import { oneOf } from './one-of';
import { sent, type Sent } from './sent';

export interface Boot extends Pick<Sent, 'country' | 'lang' | 'answers'> {
  ageGate: boolean;
}

/** A choice as the server reads it: the address's for its one page, else the cookie's, else the first. */
export function chosen<T extends string>(
  list: readonly [T, ...T[]],
  search: string,
  parameter: string,
  cookie: CookieName,
): T {
  const asked = new URLSearchParams(search).get(parameter);
  return oneOf(list, asked, oneOf(list, readCookie(cookie), list[0]));
}

/** Reads the boot JSON; a page without it (the dev server's) starts from the cookies. */
export function readBoot(): Boot {
  const { country = 'US', answers = {}, lang, age_gate } = sent();
  return {
    country,
    lang: lang ?? chosen(LANGS, location.search, 'lang', 'app_lang'),
    ageGate: age_gate === true,
    answers,
  };
}
