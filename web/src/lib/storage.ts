/** The browser's storage, which may be full, blocked or hold another version's value. Nothing else touches it. */

/** How long it is kept: for good, or for as long as the tab is open. Asking for a blocked one throws already. */
const AREAS = { good: () => localStorage, tab: () => sessionStorage };
type Area = keyof typeof AREAS;

/** What could not be kept: it holds for as long as the page is open. */
const unkept = new Map<string, string>();

export function readStored<T>(
  key: string,
  isValid: (value: unknown) => value is T,
  other: T,
  area: Area = 'good',
): T {
  try {
    const json = unkept.get(key) ?? AREAS[area]().getItem(key);
    const value: unknown = JSON.parse(json ?? 'null');
    return isValid(value) ? value : other;
  } catch {
    return other; // blocked or damaged: as if nothing had been kept
  }
}

export function writeStored(key: string, value: unknown, area: Area = 'good'): void {
  const json = JSON.stringify(value);
  try {
    AREAS[area]().setItem(key, json);
    unkept.delete(key);
  } catch {
    unkept.set(key, json);
  }
}
