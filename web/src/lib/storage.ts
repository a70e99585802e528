/** Accesses browser storage, which may be full, blocked, or hold another version's value. No other module accesses it. */

/** Lifetimes: permanent, or while the tab is open. Merely accessing blocked storage throws an error. */
const AREAS = { permanent: () => localStorage, tab: () => sessionStorage };
type Area = keyof typeof AREAS;

/** Values that could not be stored. They last while the page is open. */
const unstored = new Map<string, string>();

export function readStored<T>(
  key: string,
  isValid: (value: unknown) => value is T,
  other: T,
  area: Area = 'permanent',
): T {
  try {
    const json = unstored.get(key) ?? AREAS[area]().getItem(key);
    const value: unknown = JSON.parse(json ?? 'null');
    return isValid(value) ? value : other;
  } catch {
    return other; // storage is blocked or the value is damaged: treat it as empty
  }
}

export function writeStored(key: string, value: unknown, area: Area = 'permanent'): void {
  const json = JSON.stringify(value);
  try {
    AREAS[area]().setItem(key, json);
    unstored.delete(key);
  } catch {
    unstored.set(key, json);
  }
}
