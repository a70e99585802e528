/** Resolves an address to its screen or redirect. This module is pure. */
import { lookUp, type ScreenMatch } from '@/search/addresses';
import { listingOf, type Listing } from '@/search/codec';

type VideoListing = Extract<Listing, { list: 'videos' }>;
type Screens<Name> = Extract<ScreenMatch, { screen: Name }>;
/** Albums, playlists and members. They are in a separate chunk, which few visits need. */
export type CommunityMatch = Screens<
  | 'albums'
  | 'album'
  | 'playlists'
  | 'playlist'
  | 'members'
  | 'member'
  | 'history'
  | 'saved-searches'
  | 'muted'
>;
/** Login, sign-up, information pages, upload and edit. They are also in a separate chunk. */
export type AccountMatch = Screens<
  | 'signin'
  | 'signup'
  | 'confirm'
  | 'restore-password'
  | 'unsubscribe'
  | 'sitemap'
  | 'information'
  | 'upload'
  | 'upload-album'
  | 'moderate'
  | 'download'
  | 'profile'
>;

/** Parameters for watching a video. */
export interface Watching {
  /** The start time in seconds. 0 means to start at the beginning, or to resume. */
  startTime: number;
  /** Whether to autoplay if the browser allows it. */
  autoplay: boolean;
  /** The playlist in which the video is watched, and the playlist's page that contains it. */
  playlist: { id: number; page: number } | null;
}

export type Route =
  | { page: 'redirect'; to: string }
  | { page: 'home' | 'categories' | 'not-found' }
  | { page: 'listing'; listing: VideoListing }
  | { page: 'models'; listing: Extract<Listing, { list: 'models' }> }
  | {
      page: 'model';
      dir: string;
      /** Null on pages without videos. */
      listing: VideoListing | null;
      wall?: boolean;
    }
  | ({ page: 'video'; id: number } & Watching)
  | { page: 'community'; shown: CommunityMatch; pathname: string; search: string }
  | { page: 'account'; shown: AccountMatch; pathname: string; search: string };

const NOT_FOUND: Route = { page: 'not-found' };

/** Returns the number if it is above 0, else 0. */
const positive = (value: string | null): number => {
  const number = Number(value);
  return Number.isFinite(number) && number > 0 ? number : 0;
};
const isOn = (value: string | null): boolean => value !== null && !/^(0|false|no)$/i.test(value);

/** Reads the watch parameters in an address. */
function watching(search: string): Watching {
  const said = new URLSearchParams(search);
  const playlist = Math.floor(positive(said.get('playlist')));
  return {
    startTime: positive(said.get('start_time')),
    autoplay: isOn(said.get('autoplay')) || isOn(said.get('autostart')),
    playlist: playlist
      ? { id: playlist, page: Math.floor(positive(said.get('pl_page'))) || 1 }
      : null,
  };
}

/** Returns the route with its listing. On a model's page, it also contains the model. */
function listed(shown: ScreenMatch, search: string): Route {
  const listing = listingOf(shown, search);
  if (!listing) return NOT_FOUND;
  if (listing.list === 'models') return { page: 'models', listing };
  const { scope } = listing;
  return scope.kind === 'model'
    ? { page: 'model', dir: scope.dir, listing }
    : { page: 'listing', listing };
}

/** Resolves `pathname` and `search`, which is empty or starts with `?`. */
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
      return { page: 'video', id: Number(found.places.id), ...watching(search) };
    case 'albums':
    case 'album':
    case 'playlists':
    case 'playlist':
    case 'members':
    case 'member':
    case 'history':
    case 'saved-searches':
    case 'muted':
      return { page: 'community', shown: found, pathname, search };
    default:
      return { page: 'account', shown: found, pathname, search };
  }
}
