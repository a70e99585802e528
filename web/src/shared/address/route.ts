/** The route table: what an address shows, or where it really leads. Pure. */
import { isOneOf } from '@/lib/one-of';
import { parseListing, parsePage, segmentsOf, type Listing } from '@/search/codec';
import { MAX_CATEGORIES, MODEL_SORTS, VIDEO_SORTS, emptyVideoState } from '@/search/listing';

export type Route =
  | { page: 'redirect'; to: string }
  | { page: 'home' | 'categories' | 'not-found' }
  | { page: 'listing'; listing: Extract<Listing, { list: 'videos' }> }
  | { page: 'models'; listing: Extract<Listing, { list: 'models' }> }
  | {
      page: 'model';
      dir: string;
      /** Null on the pages without videos. */
      listing: Extract<Listing, { list: 'videos' }> | null;
      wall?: boolean;
    }
  | { page: 'video'; id: number; startTime: number }
  /** Albums, playlists and members: looked up with their own code, which few visits need. */
  | { page: 'community'; pathname: string; search: string }
  /** Signing in and up, and pages about the site: the same. */
  | { page: 'account'; pathname: string; search: string };

const seg = encodeURIComponent;
const to = (path: string): Route => ({ page: 'redirect', to: path });
const NOT_FOUND: Route = { page: 'not-found' };
const ALIASES = [
  'latest-updates',
  'top-rated',
  'most-commented',
  'most-popular',
  'longest',
  'history',
];
const COMMUNITY = [
  'albums',
  'album',
  'playlists',
  'playlist',
  'community',
  'members',
  'upload-video',
  'upload-album',
  'edit',
];
const ACCOUNT = ['signin', 'signup', 'confirm', 'restore-password', 'information', 'sitemap-page'];
export const isId = (segment: string | undefined): segment is string =>
  segment !== undefined && /^[1-9]\d{0,14}$/.test(segment);

/** Seconds of `start_time`; anything else starts at the beginning. */
const startTime = (search: string): number => {
  const value = Number(new URLSearchParams(search).get('start_time'));
  return Number.isFinite(value) && value > 0 ? value : 0;
};

function videos(rest: string[], search: string): Route {
  const [first, second] = rest;
  if (first === undefined) return to('/videos/latest-updates/1/');
  if (first === 'history')
    return { page: 'community', pathname: `/videos/${rest.join('/')}`, search };
  if (isId(first) && rest.length <= 2) {
    return { page: 'video', id: Number(first), startTime: startTime(search) };
  }
  if (isOneOf(VIDEO_SORTS, first) && second === undefined)
    return to(`/videos/${first}/1/${search}`);
  return NOT_FOUND;
}

function categories(rest: string[], search: string): Route {
  const [object, second] = rest;
  if (object === undefined) return { page: 'categories' };
  if (object.split(',').length > MAX_CATEGORIES) return NOT_FOUND;
  const base = `/categories/${object.split(',').map(seg).join(',')}`;
  if (second === undefined) return to(`${base}/latest-updates/1/${search}`);
  if (rest.length > 2) return NOT_FOUND;
  if (isOneOf(VIDEO_SORTS, second)) return to(`${base}/${second}/1/${search}`);
  const page = parsePage(second);
  if (page === null) return NOT_FOUND;
  const query = new URLSearchParams(search);
  const asked = query.get('sort');
  query.delete('sort');
  const left = query.toString();
  const sort = isOneOf(VIDEO_SORTS, asked) ? asked : 'latest-updates';
  return to(`${base}/${sort}/${String(page)}/${left && `?${left}`}`);
}

function models(rest: string[], search: string): Route {
  const [first, second] = rest;
  if (first === undefined) return to(`/models/most-popular/1/${search}`);
  if (rest.length === 1) {
    return to(
      isOneOf(MODEL_SORTS, first)
        ? `/models/${first}/1/${search}`
        : `/model/${seg(first)}/videos/1/`,
    );
  }
  if (rest.length > 2) return NOT_FOUND;
  if (second === 'videos') return to(`/model/${seg(first)}/videos/1/`);
  return second === 'wall' ? to(`/model/${seg(first)}/wall/`) : NOT_FOUND;
}

function model(rest: string[]): Route {
  const [dir, child] = rest;
  if (dir === undefined) return to('/models/most-popular/1/');
  if (rest.length === 1) {
    const scope = { kind: 'model', dir } as const;
    const listing = { list: 'videos', scope, state: emptyVideoState() } as const;
    return { page: 'model', dir, listing };
  }
  if (rest.length > 2) return NOT_FOUND;
  if (child === 'videos') return to(`/model/${seg(dir)}/videos/1/`);
  return child === 'info' || child === 'wall'
    ? { page: 'model', dir, listing: null, wall: child === 'wall' }
    : NOT_FOUND;
}

function listed(listing: Listing): Route {
  if (listing.list === 'models') return { page: 'models', listing };
  return listing.scope.kind === 'model'
    ? { page: 'model', dir: listing.scope.dir, listing }
    : { page: 'listing', listing };
}

/** What `pathname` and `search` (with its `?`, or empty) lead to. */
export function resolve(pathname: string, search: string): Route {
  if (!pathname.endsWith('/')) return to(`${pathname}/${search}`);
  const [root, ...rest] = segmentsOf(pathname);
  if (root === undefined) return { page: 'home' };
  const listing = parseListing(pathname, search);
  if (listing) return listed(listing);
  if (isOneOf(ALIASES, root) && rest.length <= 1) {
    if (rest[0] !== undefined && parsePage(rest[0]) === null) return NOT_FOUND;
    return to(`/videos/${root}/${rest[0] ?? '1'}/${search}`);
  }
  switch (root) {
    case 'main':
      return rest.length === 0 ? to('/') : NOT_FOUND;
    case 'videos':
      return videos(rest, search);
    case 'categories':
      return categories(rest, search);
    case 'top-country':
      return rest.length === 0 ? to(`/top-country/1/${search}`) : NOT_FOUND;
    case 'search':
      return rest.length === 0 ? to(`/search/1/${search}`) : NOT_FOUND;
    case 'models':
      return models(rest, search);
    case 'model':
      return model(rest);
    default:
      if (COMMUNITY.includes(root)) return { page: 'community', pathname, search };
      return ACCOUNT.includes(root) ? { page: 'account', pathname, search } : NOT_FOUND;
  }
}
