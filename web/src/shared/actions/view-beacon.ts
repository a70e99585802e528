/** Decides which views count for a country's chart. This module is pure. */

/** Whether a view with this referrer says nothing about the country. */
export const saysNothingOfCountry = (referrer: string): boolean =>
  referrer.endsWith('.com/') || referrer.endsWith('.tube/') || referrer.includes('country/');

interface Entries {
  navigation?: {
    currentEntry: { index: number } | null;
    entries: () => { url: string | null }[];
  };
}

/** Returns the previous page: after client-side navigation, a page on this site, else the browser's referrer. */
export function cameFrom(scope: Entries, referrer: string): string {
  const { navigation } = scope;
  const index = navigation?.currentEntry?.index ?? 0;
  const before = index > 0 ? navigation?.entries()[index - 1]?.url : null;
  return before ?? referrer;
}
