/** Where to go after login, according to the page's `?next=`, which is a path on this site. This module is pure. */
const HOME = '/';
/** A reserved host, which is only compared with this site's own addresses. */
const HERE = 'http://own.invalid';

/** Whether a text has control characters. Browsers strip tabs and line breaks from addresses. */
const hasControl = (text: string): boolean =>
  Array.from(text).some((char) => char < ' ' || char === '\u007f');

/** Whether a browser that follows the path stays on this site. */
export function isOwnPath(path: string): boolean {
  if (!path.startsWith('/') || hasControl(path) || path.includes('\\')) return false;
  const read = URL.canParse(path, HERE) ? new URL(path, HERE) : null;
  // `/.//host/` is a path on this site, but its normalized form, `//host/`, would not be.
  return read !== null && read.origin === HERE && !read.pathname.startsWith('//');
}

export function nextOf(search: string): string {
  const next = new URLSearchParams(search).get('next');
  return next && isOwnPath(next) ? next : HOME;
}

/** Returns the address of a login page that leads back to `next`. */
export function withNext(path: '/signin/' | '/signup/', next: string): string {
  if (next === HOME || !isOwnPath(next)) return path;
  return `${path}?next=${encodeURIComponent(next)}`;
}
