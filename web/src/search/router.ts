/**
 * InstantSearch's router for our paths. The address bar is the source of truth. Writes are first compared with it, so going back never
 * pushes a new entry. A tree writes nothing once it no longer owns the address (the visitor has navigated away while it unmounts).
 */
import type { Router } from 'instantsearch.js/es/types';
import { navigate } from 'wouter/use-browser-location';
import { formatListing, parseListing, type Listing } from './codec';
import { RANGE_FILTERS } from '../../generated/vocabulary';

/** Events that wouter sends for every change of address, whichever code made the change. */
const EVENTS = ['popstate', 'pushState', 'replaceState'] as const;

/** Returns the tree's key, which consists of the list and its scope but not the filters. */
export const treeKey = (listing: Listing): string =>
  listing.list === 'videos' ? JSON.stringify(listing.scope) : listing.list;

const here = (): Listing | null => parseListing(location.pathname, location.search);

/** Returns the only range filter in which two model lists differ. Returns null if they differ in none or in more. */
function changedRange(before: Listing, after: Listing): string | null {
  if (before.list !== 'models' || after.list !== 'models') return null;
  const { state } = before;
  const range = RANGE_FILTERS.find((name) => state.filters[name] !== after.state.filters[name]);
  if (!range) return null;
  const filters = { ...state.filters, [range]: after.state.filters[range] };
  const same = formatListing({ list: 'models', state: { ...after.state, filters } });
  return same === formatListing(after) ? range : null;
}

export interface ListingRouter extends Router<Listing> {
  /**
   * The router is closed until its tree is mounted. An unmounting tree clears its state, which a closed router neither writes nor
   * announces.
   */
  setOpen: (open: boolean) => void;
}

export function createListingRouter(base: Listing): ListingRouter {
  let open = false;
  let writing = false;
  /** The range that was moved last, and the resulting address. */
  let moved: { range: string; href: string } | null = null;
  let stop: (() => void) | undefined;
  const current = (): Listing | null => {
    const listing = open ? here() : null;
    return listing && treeKey(listing) === treeKey(base) ? listing : null;
  };
  return {
    $$type: 'lantern.path',
    read: () => current() ?? base,
    createURL: formatListing,
    write(listing) {
      const now = current();
      if (!now) return;
      const url = formatListing(listing);
      if (url === formatListing(now)) return;
      const range = changedRange(now, listing);
      writing = true;
      // A slider sends every step while a key is held. Together, these steps are one history entry.
      navigate(url, { replace: moved?.range === range && moved.href === location.href });
      writing = false;
      moved = range ? { range, href: location.href } : null;
    },
    onUpdate(tell) {
      const changed = (): void => {
        const listing = writing ? null : current();
        if (listing) tell(listing);
      };
      for (const name of EVENTS) addEventListener(name, changed);
      stop = () => {
        for (const name of EVENTS) removeEventListener(name, changed);
      };
    },
    dispose() {
      stop?.();
      stop = undefined;
    },
    setOpen(next) {
      open = next;
    },
  };
}
