/** Filters of the list of members: in the address, and in the call. Pure. */

/** In the order an address names them. */
export const MEMBER_FILTERS = [
  'country',
  'gender',
  'age',
  'relationship',
  'avatar',
  'orientation',
  'object_id',
] as const;
export type MemberFilter = (typeof MEMBER_FILTERS)[number];
export type MemberFilters = Partial<Record<MemberFilter, string>>;

const FITS: Record<MemberFilter, RegExp> = {
  country: /^[A-Z]{2}$/,
  // The same parameter may hold the visitor's orientation.
  gender: /^(male|female|trans|couple)$/,
  age: /^\d{1,3}\.\d{1,3}$/,
  relationship: /^[a-z_]{1,20}$/,
  avatar: /^(yes|no)$/,
  orientation: /^[a-z_]{1,20}$/,
  // Whose friends they are; no more digits than a number holds whatever they are.
  object_id: /^[1-9]\d{0,14}$/,
};

/** Those of an address; what makes no sense is not there. */
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

/** The query of an address with its `?`, or nothing. */
export function writeFilters(filters: MemberFilters): string {
  const query = new URLSearchParams(chosen(filters)).toString();
  return query && `?${query}`;
}

/** What follows `filt` in the call. */
export const filterSegment = (filters: MemberFilters): string =>
  chosen(filters)
    .map(([name, value]) => `-${name}~${value}`)
    .join('');
