/** Saved searches in the format that the API and a guest's browser share. This module is pure. */
import type { Schema } from '@/api/call';
import type { Gender } from '@/lib/audience';
import { withOrientation } from '@/lib/oriented';
import { formatListing, parseListing, type Listing } from '@/search/codec';

export type SavedSearch = Schema<'SavedSearch'>;

type VideoListing = Extract<Listing, { list: 'videos' }>;

/** Returns the address of a list's first page. */
export const addressOfList = (listing: VideoListing, gender: Gender): string =>
  withOrientation(formatListing({ ...listing, state: { ...listing.state, page: 1 } }), gender);

/** Returns the listing at an address, or null if the address lists no videos. */
function listAt(address: string): VideoListing | null {
  const [path = '', search = ''] = address.split('?');
  const listing = parseListing(path, search);
  return listing?.list === 'videos' ? listing : null;
}

const inOrder = (address: string, sort: VideoListing['state']['sort']): string | null => {
  const listing = listAt(address);
  if (!listing) return null;
  // The orientation isn't part of the listing, and an address without one has the default.
  const gender = new URLSearchParams(address.split('?')[1]).get('gender') as Gender | null;
  const state = { ...listing.state, sort, page: 1 };
  return withOrientation(formatListing({ ...listing, state }), gender ?? 'str');
};

/** Returns the same key for all addresses of a list, whatever the sort order. */
export const keyOf = (address: string): string => inOrder(address, null) ?? address;

/** Returns the address of the same list, sorted by newest first. */
export function newestFirst(address: string): string {
  const isUsual = listAt(address)?.scope.kind !== 'search';
  return inOrder(address, isUsual ? null : 'latest-updates') ?? address;
}

export const findSaved = (list: SavedSearch[], address: string): SavedSearch | undefined => {
  const key = keyOf(address);
  return list.find((saved) => keyOf(saved.address) === key);
};

/** Sorts by name, in the same way as the server. */
export const inNameOrder = (list: SavedSearch[], lang: string): SavedSearch[] =>
  list.toSorted((a, b) => a.name.localeCompare(b.name, lang) || a.saved_id - b.saved_id);

/** Adds a list. If the list is already saved, it is renamed. */
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

/** Whether local storage contains this version's format. */
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
