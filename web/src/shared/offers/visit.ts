/** The contents of a report about a page view. This module is pure. */

/** Beginnings of objects' addresses, in which the number is the object's id and not a page number. */
const OBJECTS = ['/videos/', '/album/', '/members/', '/embed/'];

/** Returns a list's address without the page number, or `null` if the address isn't a list's. */
function listOf(pathname: string): string | null {
  const [, list] = /^(\/.*\/)\d+\/$/.exec(pathname) ?? [];
  return list && !OBJECTS.includes(list) ? list : null;
}

/** Whether both addresses are pages of the same list. */
export function isStep(before: string | null, pathname: string): boolean {
  const list = listOf(pathname);
  return list !== null && before !== null && before !== pathname && listOf(before) === list;
}

/** Returns the campaign that an address names. */
export function campaignOf(address: string): string {
  const params = URL.parse(address)?.searchParams;
  return params?.get('campaign') ?? params?.get('fr') ?? '';
}

/** Returns an address's origin, which is the only part that is reported. */
export const siteOf = (address: string): string => URL.parse(address)?.origin ?? '';
