/** What an address shows, or where it really leads. Pure. */
import { lookUp, type Shown } from '@/search/addresses';
import { listingOf, type Listing } from '@/search/codec';

type VideoListing = Extract<Listing, { list: 'videos' }>;
type Screens<Name> = Extract<Shown, { screen: Name }>;
/** Albums, playlists and members: shown by their own code, which few visits need. */
export type CommunityShown = Screens<
  'albums' | 'album' | 'playlists' | 'playlist' | 'members' | 'member' | 'history'
>;
/** Signing in and up, pages about the site, and where members upload and edit: the same. */
export type AccountShown = Screens<
  | 'signin'
  | 'signup'
  | 'confirm'
  | 'restore-password'
  | 'sitemap'
  | 'information'
  | 'upload'
  | 'upload-album'
  | 'moderate'
  | 'download'
  | 'profile'
>;

export type Route =
  | { page: 'redirect'; to: string }
  | { page: 'home' | 'categories' | 'not-found' }
  | { page: 'listing'; listing: VideoListing }
  | { page: 'models'; listing: Extract<Listing, { list: 'models' }> }
  | {
      page: 'model';
      dir: string;
      /** Null on the pages without videos. */
      listing: VideoListing | null;
      wall?: boolean;
    }
  | { page: 'video'; id: number; startTime: number }
  | { page: 'community'; shown: CommunityShown; pathname: string; search: string }
  | { page: 'account'; shown: AccountShown; pathname: string; search: string };

const NOT_FOUND: Route = { page: 'not-found' };

/** Seconds of `start_time`; anything else starts at the beginning. */
const startTime = (search: string): number => {
  const value = Number(new URLSearchParams(search).get('start_time'));
  return Number.isFinite(value) && value > 0 ? value : 0;
};

/** What `shown` lists, on the page of a model with the model. */
function listed(shown: Shown, search: string): Route {
  const listing = listingOf(shown, search);
  if (!listing) return NOT_FOUND;
  if (listing.list === 'models') return { page: 'models', listing };
  const { scope } = listing;
  return scope.kind === 'model'
    ? { page: 'model', dir: scope.dir, listing }
    : { page: 'listing', listing };
}

/** What `pathname` and `search` (with its `?`, or empty) lead to. */
export function resolve(pathname: string, search: string): Route {
  if (!pathname.endsWith('/')) return { page: 'redirect', to: `${pathname}/${search}` };
  const found = lookUp(pathname, search);
  if (!found) return NOT_FOUND;
  if ('to' in found) return { page: 'redirect', to: found.to };
  switch (found.screen) {
    case 'home':
    case 'categories':
      return { page: found.screen };
    case 'videos':
    case 'category':
    case 'search':
    case 'country':
    case 'models':
    case 'model':
      return listed(found, search);
    case 'model-info':
    case 'model-wall':
      return {
        page: 'model',
        dir: found.places.dir,
        listing: null,
        wall: found.screen === 'model-wall',
      };
    case 'video':
      return { page: 'video', id: Number(found.places.id), startTime: startTime(search) };
    case 'albums':
    case 'album':
    case 'playlists':
    case 'playlist':
    case 'members':
    case 'member':
    case 'history':
      return { page: 'community', shown: found, pathname, search };
    default:
      return { page: 'account', shown: found, pathname, search };
  }
}
