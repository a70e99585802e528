/** The member list's filters in the address and in the call. This module is pure. */

import { MEMBER_FILTERS } from '../../../generated/vocabulary';

export type MemberFilter = (typeof MEMBER_FILTERS)[number];
export type MemberFilters = Partial<Record<MemberFilter, string>>;

const FITS: Record<MemberFilter, RegExp> = {
  country: /^[A-Z]{2}$/,
  // In other addresses, the same parameter may contain the visitor's orientation.
  gender: /^(male|female|trans|couple)$/,
  age: /^\d{1,3}\.\d{1,3}$/,
  relationship: /^[a-z_]{1,20}$/,
  avatar: /^(yes|no)$/,
  orientation: /^[a-z_]{1,20}$/,
  // The member whose friends are listed. It has no more digits than a number can represent exactly.
  object_id: /^[1-9]\d{0,14}$/,
};

/** Reads the filters in an address. Invalid filters are dropped. */
export function readFilters(search: string): MemberFilters {
  const query = new URLSearchParams(search);
  const found = MEMBER_FILTERS.flatMap((name) => {
    const value = query.get(name) ?? '';
    return FITS[name].test(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

const chosen = (filters: MemberFilters): [MemberFilter, string][] =>
  MEMBER_FILTERS.flatMap((name) => {
    const value = filters[name];
    return value ? [[name, value]] : [];
  });

/** Returns the query for an address, including the `?`, or an empty string. */
export function writeFilters(filters: MemberFilters): string {
  const query = new URLSearchParams(chosen(filters)).toString();
  return query && `?${query}`;
}

/** Returns the part that follows `filt` in the call. */
export const filterSegment = (filters: MemberFilters): string =>
  chosen(filters)
    .map(([name, value]) => `-${name}~${value}`)
    .join('');
