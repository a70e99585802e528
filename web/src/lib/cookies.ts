/** The cookies of the specification, read and written on our own path. */
export type CookieName = 'app_lang' | 'gender' | 'age_agreed';

const YEAR_S = 365 * 24 * 3600;

export function readCookie(name: CookieName): string | null {
  const prefix = `${name}=`;
  const pair = document.cookie.split('; ').find((part) => part.startsWith(prefix));
  return pair ? decodeURIComponent(pair.slice(prefix.length)) : null;
}

export function writeCookie(name: CookieName, value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${String(YEAR_S)}; SameSite=Lax${secure}`;
}
