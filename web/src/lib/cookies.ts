/** The visitor's preferences in cookies, read and written as the server does it (`api/src/http/cookies.rs`). */
import { oneOf } from './one-of';
import { sent } from './sent';

export type CookieName = 'app_lang' | 'gender' | 'age_agreed' | 'chart_country';

const YEAR_S = 365 * 24 * 3600;

export function readCookie(name: CookieName): string | null {
  const prefix = `${name}=`;
  const pair = document.cookie.split('; ').find((part) => part.startsWith(prefix));
  // As it stands, without decoding, which the server doesn't either: every value is a word of a list.
  return pair ? pair.slice(prefix.length) : null;
}

const AGREED = '1';
/** Whether the visitor has said to be of age; the server takes no other value for it. */
export const hasAgreed = (): boolean => readCookie('age_agreed') === AGREED;
export const agree = (): void => {
  writeCookie('age_agreed', AGREED);
};

/** A choice as the server reads it: the address's for its one page, else the cookie's, else the first. */
export function chosen<T extends string>(
  list: readonly [T, ...T[]],
  search: string,
  parameter: string,
  cookie: CookieName,
): T {
  const value = new URLSearchParams(search).get(parameter);
  return oneOf(list, value, oneOf(list, readCookie(cookie), list[0]));
}

/** The part of a cookie that shares it with the domain's other hosts; a host outside of it keeps its own. */
export function domainPart(domain: string, host: string): string {
  const isInside = domain !== '' && (host === domain || host.endsWith(`.${domain}`));
  return isInside ? `; Domain=${domain}` : '';
}

export function writeCookie(name: CookieName, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const domain = domainPart(sent().cookie_domain ?? '', location.hostname);
  // One of the host alone would be sent beside the domain's, and count.
  if (domain) document.cookie = `${name}=; Path=/; Max-Age=0`;
  document.cookie = `${name}=${value}; Path=/; Max-Age=${String(YEAR_S)}; SameSite=Lax${domain}${secure}`;
}
