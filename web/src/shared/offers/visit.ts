/** Contents of a page-view report. Pure. */

/** Addresses of objects contain numbers, too. */
const OBJECTS = ['/videos/', '/album/', '/members/', '/embed/'];

/** Returns a list's address without the page number; `null` if it isn't a list. */
function listOf(pathname: string): string | null {
  const [, list] = /^(\/.*\/)\d+\/$/.exec(pathname) ?? [];
  return list && !OBJECTS.includes(list) ? list : null;
}

/** Whether both are pages of the same list. */
export function isStep(before: string | null, pathname: string): boolean {
  const list = listOf(pathname);
  return list !== null && before !== null && before !== pathname && listOf(before) === list;
}

/** Returns the campaign in an address. */
export function campaignOf(address: string): string {
  const params = URL.parse(address)?.searchParams;
  return params?.get('campaign') ?? params?.get('fr') ?? '';
}

/** Returns the origin of an address, the only part that is reported. */
export const siteOf = (address: string): string => URL.parse(address)?.origin ?? '';
