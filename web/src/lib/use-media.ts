import { useCallback, useSyncExternalStore } from 'react';

/** A page of cards asks the same a hundred times. */
const lists = new Map<string, MediaQueryList>();

function listOf(query: string): MediaQueryList {
  const list = lists.get(query) ?? matchMedia(query);
  lists.set(query, list);
  return list;
}

/** Whether a media query holds, now and as it changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query);
      list.addEventListener('change', listener);
      return () => {
        list.removeEventListener('change', listener);
      };
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => listOf(query).matches);
}

/** The rail's breakpoint: below it filters live in a bottom sheet, navigation in a menu. */
export const WIDE = '(width >= 64rem)';

/** Held in a hand: nothing can be pointed at before it is touched. */
export const PHONE = '(width < 40rem), (pointer: coarse)';

/** A phone's window, with the bar at its foot (`--foot` of the style sheet). */
export const NARROW = '(width < 48rem)';
