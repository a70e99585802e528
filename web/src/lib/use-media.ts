import { useCallback, useSyncExternalStore } from 'react';

/** Results are cached, because a page of cards makes the same query a hundred times. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? matchMedia(query);
  lists.set(query, list);
  return list;
}

/** Returns whether a media query matches, and keeps this up to date. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => listOf(query).matches);
}

/** The breakpoint for the rail: below it, filters are in a bottom sheet and navigation is in a menu. */
export const WIDE = '(width >= 64rem)';

/** A handheld device, on which nothing can be hovered over before a touch. */
export const PHONE = '(width < 40rem), (pointer: coarse)';

/** A phone-sized window, which has the bottom bar (`--foot` in the style sheet). */
export const NARROW = '(width < 48rem)';
