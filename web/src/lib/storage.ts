/** Local storage that may be full, blocked or hold another version's value. */
export function readStored<T>(key: string, isValid: (value: unknown) => value is T, other: T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return isValid(value) ? value : other;
  } catch {
    return other; // blocked or damaged: as if nothing had been kept
  }
}

export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Blocked or full: the choice holds for this visit only.
  }
}
