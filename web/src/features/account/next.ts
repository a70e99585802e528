/** Where to go after signing in: `?next=` of the page, a path of this site. Pure. */
const HOME = '/';

/** Only paths: `//host/` and `/\host/` would lead to another site. */
const isOwnPath = (path: string): boolean => /^\/(?![/\\])/.test(path);

export function nextOf(search: string): string {
  const next = new URLSearchParams(search).get('next');
  return next && isOwnPath(next) ? next : HOME;
}

/** The address of a sign-in page that leads back to `next`. */
export function withNext(path: '/signin/' | '/signup/', next: string): string {
  if (next === HOME || !isOwnPath(next)) return path;
  return `${path}?next=${encodeURIComponent(next)}`;
}
