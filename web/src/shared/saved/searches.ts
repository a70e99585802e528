/** Saved searches as a member's list and a guest's browser have them. Pure. */
import type { Schema } from '@/api/call';
import type { Gender } from '@/lib/audience';
import { withOrientation } from '@/lib/oriented';
import { formatListing, parseListing, type Listing } from '@/search/codec';

export type SavedSearch = Schema<'SavedSearch'>;

type VideoListing = Extract<Listing, { list: 'videos' }>;

/** Where a list begins, for whoever follows the address. */
export const addressOfList = (listing: VideoListing, gender: Gender): string =>
  withOrientation(formatListing({ ...listing, state: { ...listing.state, page: 1 } }), gender);

/** The list at an address, or null where that lists no videos. */
function listAt(address: string): VideoListing | null {
  const [path = '', search = ''] = address.split('?');
  const listing = parseListing(path, search);
  return listing?.list === 'videos' ? listing : null;
}

const inOrder = (address: string, sort: VideoListing['state']['sort']): string | null => {
  const listing = listAt(address);
  if (!listing) return null;
  // The orientation is no part of the listing; without one in the address it is the first.
  const gender = new URLSearchParams(address.split('?')[1]).get('gender') as Gender | null;
  const state = { ...listing.state, sort, page: 1 };
  return withOrientation(formatListing({ ...listing, state }), gender ?? 'str');
};

/** What two addresses have in common that list the same, in whatever order. */
export const keyOf = (address: string): string => inOrder(address, null) ?? address;

/** The same list with the newest first. */
export function newestFirst(address: string): string {
  const isUsual = listAt(address)?.scope.kind !== 'search';
  return inOrder(address, isUsual ? null : 'latest-updates') ?? address;
}

export const findSaved = (list: SavedSearch[], address: string): SavedSearch | undefined => {
  const key = keyOf(address);
  return list.find((saved) => keyOf(saved.address) === key);
};

/** By name, as the server orders them. */
export const inNameOrder = (list: SavedSearch[], lang: string): SavedSearch[] =>
  list.toSorted((a, b) => a.name.localeCompare(b.name, lang) || a.saved_id - b.saved_id);

/** With a list saved; one that is there has the new name. */
export function withSaved(
  list: SavedSearch[],
  { name, address, seen_at }: Pick<SavedSearch, 'name' | 'address' | 'seen_at'>,
): SavedSearch[] {
  const old = list.find((saved) => saved.address === address);
  if (old) return list.map((saved) => (saved === old ? { ...saved, name } : saved));
  const saved_id = 1 + Math.max(0, ...list.map((saved) => saved.saved_id));
  return [...list, { saved_id, name, address, seen_at }];
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Whether local storage holds what this version wrote. */
export const isSavedList = (value: unknown): value is SavedSearch[] =>
  Array.isArray(value) &&
  value.every(
    (saved) =>
      isRecord(saved) &&
      typeof saved.saved_id === 'number' &&
      typeof saved.name === 'string' &&
      typeof saved.address === 'string' &&
      saved.address.startsWith('/') &&
      typeof saved.seen_at === 'string' &&
      !Number.isNaN(Date.parse(saved.seen_at)),
  );
