/** Where to go after signing in: `?next=` of the page, a path of this site. Pure. */
const HOME = '/';
/** A host nobody has: only what this site's own addresses are compared with. */
const HERE = 'http://own.invalid';

/** Browsers drop tabs and line ends from addresses before they read them. */
const hasControl = (text: string): boolean =>
  Array.from(text).some((char) => char < ' ' || char === '\u007f');

/** Whether a browser that is led there stays on this site. */
export function isOwnPath(path: string): boolean {
  if (!path.startsWith('/') || hasControl(path) || path.includes('\\')) return false;
  const read = URL.canParse(path, HERE) ? new URL(path, HERE) : null;
  // `/.//host/` is ours, but what is left of it, `//host/`, would not be.
  return read !== null && read.origin === HERE && !read.pathname.startsWith('//');
}

export function nextOf(search: string): string {
  const next = new URLSearchParams(search).get('next');
  return next && isOwnPath(next) ? next : HOME;
}

/** The address of a sign-in page that leads back to `next`. */
export function withNext(path: '/signin/' | '/signup/', next: string): string {
  if (next === HOME || !isOwnPath(next)) return path;
  return `${path}?next=${encodeURIComponent(next)}`;
}
