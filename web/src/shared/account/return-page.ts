/** The page that was left for another site's sign-in; this tab returns to it. */
const KEY = 'lantern.return';

export function keepReturn(path: string): void {
  try {
    sessionStorage.setItem(KEY, path);
  } catch {
    // Blocked: the visitor returns to the home page.
  }
}

/** The page, once; `null` where none was kept. */
export function takeReturn(): string | null {
  try {
    const path = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return path;
  } catch {
    return null;
  }
}
