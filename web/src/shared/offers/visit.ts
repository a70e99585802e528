/** What is told of a visited page. Pure. */

/** Objects are numbered, too. */
const OBJECTS = ['/videos/', '/album/', '/members/', '/embed/'];

/** A list without the number of its page; `null` for what is no list. */
function listOf(pathname: string): string | null {
  const [, list] = /^(\/.*\/)\d+\/$/.exec(pathname) ?? [];
  return list && !OBJECTS.includes(list) ? list : null;
}

/** Whether the one page is another page of the other's list. */
export function isStep(before: string | null, pathname: string): boolean {
  const list = listOf(pathname);
  return list !== null && before !== null && before !== pathname && listOf(before) === list;
}

/** The campaign that an address names. */
export function campaignOf(address: string): string {
  const params = URL.parse(address)?.searchParams;
  return params?.get('campaign') ?? params?.get('fr') ?? '';
}

/** The site of an address, which is all that is told of it. */
export const siteOf = (address: string): string => URL.parse(address)?.origin ?? '';
