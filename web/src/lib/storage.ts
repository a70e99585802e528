/** Browser storage, which may be full, blocked, or hold another version's value. The only module that accesses it. */

/** Lifetimes: permanent, or while the tab is open. Merely accessing blocked storage throws. */
const AREAS = { good: () => localStorage, tab: () => sessionStorage };
type Area = keyof typeof AREAS;

/** Values that could not be stored: they last while the page is open. */
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
    return other; // blocked or damaged: treat as empty
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
