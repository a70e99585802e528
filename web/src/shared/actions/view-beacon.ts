/** Which visits count for a country's chart. Pure. */

/** Where the visitor came from makes a view that says nothing of a country. */
export const saysNothingOfCountry = (referrer: string): boolean =>
  referrer.endsWith('.com/') || referrer.endsWith('.tube/') || referrer.includes('country/');

interface Entries {
  navigation?: {
    currentEntry: { index: number } | null;
    entries: () => { url: string | null }[];
  };
}

/** The page before this one: on this site where the app went on by itself, else the browser's referrer. */
export function cameFrom(scope: Entries, referrer: string): string {
  const { navigation } = scope;
  const index = navigation?.currentEntry?.index ?? 0;
  const before = index > 0 ? navigation?.entries()[index - 1]?.url : null;
  return before ?? referrer;
}
