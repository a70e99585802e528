/** The visitor's preferences in cookies, which are read and written in the same way as on the server (`http/src/cookies.rs`). */
import { oneOf } from './one-of';
import { sent } from './sent';

export type CookieName = 'app_lang' | 'gender' | 'age_agreed' | 'chart_country';

const YEAR_S = 365 * 24 * 3600;

export function readCookie(name: CookieName): string | null {
  const prefix = `${name}=`;
  const pair = document.cookie.split('; ').find((part) => part.startsWith(prefix));
  // As on the server, the value isn't decoded, because every value is a word from a list.
  return pair ? pair.slice(prefix.length) : null;
}

const AGREED = '1';
/** Whether the visitor has confirmed their age. The server accepts no other value. */
export const hasAgreed = (): boolean => readCookie('age_agreed') === AGREED;
export const agree = (): void => writeCookie('age_agreed', AGREED);

/**
 * Returns a choice in the same way as the server: the address's choice, which holds for that page only, else the cookie's, else the
 * fallback.
 */
export function chosen<T extends string>(
  list: readonly [T, ...T[]],
  search: string,
  parameter: string,
  cookie: CookieName,
  fallback: T = list[0],
): T {
  const value = new URLSearchParams(search).get(parameter);
  return oneOf(list, value, oneOf(list, readCookie(cookie), fallback));
}

/** The cookie attribute that shares a cookie with the domain's other hosts. A host outside the domain keeps its own cookies. */
export function domainPart(domain: string, host: string): string {
  const isInside = domain !== '' && (host === domain || host.endsWith(`.${domain}`));
  return isInside ? `; Domain=${domain}` : '';
}

export function writeCookie(name: CookieName, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  const domain = domainPart(sent().cookie_domain ?? '', location.hostname);
  // Otherwise, a host-only cookie would be sent along with the domain's cookie and would take precedence.
  if (domain) document.cookie = `${name}=; Path=/; Max-Age=0`;
  document.cookie = `${name}=${value}; Path=/; Max-Age=${String(YEAR_S)}; SameSite=Lax${domain}${secure}`;
}
