/**
 * Resolves addresses with the shared table `config/addresses.json`, in the same way as the server (`listing/src/pages/routes.rs`). This module is
 * pure.
 */
import { addresses, words } from '../../generated/addresses';
import { isOneOf, oneOf } from '@/lib/one-of';

type Words = typeof words;
type Row = (typeof addresses)[number];
type PlaceNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceNames<Rest>
  : never;
type PlaceValue<Name> = Name extends keyof Words ? Words[Name][number] : string;
type MatchOf<Of> = Of extends readonly [infer Path, infer What]
  ? What extends `/${string}`
    ? never
    : { screen: What; places: { [Name in PlaceNames<Path>]: PlaceValue<Name> } }
  : never;

/** A screen and the parameters in its address. */
export type ScreenMatch = MatchOf<Row>;
export type Found = { to: string } | ScreenMatch;

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a stray % is taken literally
  }
};

const segmentsOf = (pathname: string): string[] => pathname.split('/').filter(Boolean).map(decode);

export const isId = (segment: string | undefined): segment is string =>
  segment !== undefined && /^[1-9]\d{0,14}$/.test(segment);
const DIR = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const isDir = (segment: string): boolean => segment.length <= 200 && DIR.test(segment);

function fits(place: string, segment: string): boolean {
  switch (place) {
    case 'any':
      return true;
    case 'id':
      return isId(segment);
    case 'page':
      return /^[1-9]\d{0,6}$/.test(segment);
    case 'dir':
      return isDir(segment);
    case 'dirs':
      return segment.split(',').every(isDir);
    default:
      return isOneOf(words[place as keyof Words], segment);
  }
}

/** Returns a pattern's parameters, or null if the path doesn't match. */
function placesOf(path: string, segments: string[]): Record<string, string> | null {
  const parts = segmentsOf(path);
  const places: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const place = /^\{(.*)\}$/.exec(part)?.[1];
    if (place === 'rest') return places;
    const segment = segments[at];
    if (segment === undefined || (place ? !fits(place, segment) : segment !== part)) return null;
    if (place) places[place] = segment;
  }
  return segments.length === parts.length ? places : null;
}

function target(to: string, places: Record<string, string>, search: string): string {
  const query = new URLSearchParams(search);
  const path = to.replace(/\{(.*?)\}/g, (_, place: string) => {
    if (place !== '?sort') {
      return (places[place] ?? '').split(',').map(encodeURIComponent).join(',');
    }
    const sort = query.get('sort');
    query.delete('sort');
    return oneOf(words.video_sort, sort, 'latest-updates');
  });
  if (!to.includes('{?sort}')) return path + search;
  const left = query.toString();
  return left ? `${path}?${left}` : path;
}

/** Returns the first matching row, or null. */
export function lookUp(pathname: string, search: string): Found | null {
  const segments = segmentsOf(pathname);
  for (const [path, what] of addresses) {
    const places = placesOf(path, segments);
    if (!places) continue;
    return what.startsWith('/')
      ? { to: target(what, places, search) }
      : ({ screen: what, places } as ScreenMatch);
  }
  return null;
}
