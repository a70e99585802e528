import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, now and as it changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => {
        list.removeEventListener('change', listener);
      };
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}

/** The rail's breakpoint: below it filters live in a bottom sheet, navigation in a menu. */
export const WIDE = '(width >= 64rem)';

/** Held in a hand: nothing can be pointed at before it is touched. */
export const PHONE = '(width < 40rem), (pointer: coarse)';

/** A phone's window, with the bar at its foot (`--foot` of the style sheet). */
export const NARROW = '(width < 48rem)';
