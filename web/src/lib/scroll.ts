/**
 * Restores scroll positions. The browser's own restoration runs before lists are rendered, so it is switched off here. A new page starts
 * at the top, a change of a list shows its results, and navigating back or forward restores the position.
 */
import { readStored, writeStored } from './storage';

const STORE = 'lantern.scroll';
/** How long, in ms, a page may take to grow tall enough for its previous position. */
const PATIENCE_MS = 2000;

interface WithNavigation {
  navigation?: { currentEntry?: { key: string } };
}
const entryKey = (): string =>
  (globalThis as WithNavigation).navigation?.currentEntry?.key ?? location.href;

const isPositions = (value: unknown): value is [entry: string, y: number][] =>
  Array.isArray(value) && value.every(Array.isArray);

const positions = new Map<string, number>();
let restoring = 0;

function restore(target: number): void {
  const ticket = ++restoring;
  const until = performance.now() + PATIENCE_MS;
  const stop = (): void => {
    if (ticket === restoring) restoring = 0;
  };
  addEventListener('wheel', stop, { once: true, passive: true });
  addEventListener('touchstart', stop, { once: true, passive: true });
  const step = (): void => {
    if (ticket !== restoring) return;
    const room = document.documentElement.scrollHeight - innerHeight;
    if (room < target && performance.now() < until) {
      requestAnimationFrame(step);
      return;
    }
    scrollTo(0, target);
    stop();
  };
  requestAnimationFrame(step);
}

/** The id of the heading of a list's results. */
export const RESULTS = 'results';

/** Brings the top of a list's results into view, unless it already is, and focuses them if the focus is lost or out of view. */
function showResults(): void {
  const heading = document.getElementById(RESULTS);
  const list = heading?.parentElement;
  if (!heading || !list) return;
  const margin = parseFloat(getComputedStyle(list).scrollMarginTop) || 0;
  const { top } = list.getBoundingClientRect();
  if (top < margin || top > innerHeight) list.scrollIntoView();
  // Removed filters disappear with the next rendering.
  setTimeout(() => {
    const { activeElement } = document;
    const at = activeElement === document.body ? null : activeElement?.getBoundingClientRect();
    if (!at || at.bottom < 0 || at.top > innerHeight) heading.focus({ preventScroll: true });
  });
}

export function startScrollMemory(): void {
  history.scrollRestoration = 'manual';
  for (const [key, y] of readStored(STORE, isPositions, [], 'tab')) positions.set(key, y);
  let { pathname, search } = location;
  addEventListener(
    'scroll',
    () => {
      if (!restoring) positions.set(entryKey(), scrollY);
    },
    { passive: true },
  );
  addEventListener('popstate', () => {
    ({ pathname, search } = location);
    restore(positions.get(entryKey()) ?? 0);
  });
  const moved = () => {
    // A filter in the query changes the list in place, while another path is another page.
    if (pathname !== location.pathname) scrollTo(0, 0);
    else if (search !== location.search) showResults();
    ({ pathname, search } = location);
  };
  addEventListener('pushState', moved);
  // A page may replace the history entry of the menu that led to it.
  addEventListener('replaceState', moved);
  addEventListener('pagehide', () => writeStored(STORE, [...positions].slice(-50), 'tab'));
  restore(positions.get(entryKey()) ?? 0);
}
