/**
 * On phones, the back button closes the topmost overlay and nothing else. While any overlay is open, a history entry with the page's
 * own address is on top; it is removed when the last one closes, however that happens.
 */
import { useEffectEvent, useLayoutEffect } from 'react';
// Wouter's patch of the history, which notifies the app of changes, must be the inner one.
import 'wouter/use-browser-location';
import { isOver } from '@/lib/over';

/** Where Back closes overlays. On a desktop it leaves the page, and an entry would discard the forward history. */
const PHONE = '(width < 64rem), (pointer: coarse)';

type Close = () => void;

/** Open overlays, the topmost last. */
const open: Close[] = [];
/** Addresses of the extra entry and the one below it, which differ once the page has replaced its address. */
let marker: { below: string; here: string } | null = null;
/** The extra entry is being removed; history calls wait until then. */
let isLeaving = false;
const waiting: (() => void)[] = [];

const pushState = history.pushState.bind(history);
const replaceState = history.replaceState.bind(history);
const nativeHistory = History.prototype;

history.pushState = (state: unknown, unused, url) => {
  if (isLeaving) {
    waiting.push(() => {
      history.pushState(state, unused, url);
    });
  } else if (isOver()) {
    // The next page replaces the extra entry, which is added again if something stays open.
    replaceState(state, unused, url);
    marker = null;
    setTimeout(settle);
  } else {
    pushState(state, unused, url);
  }
};

history.replaceState = (state: object | null, unused, url) => {
  if (isLeaving) {
    waiting.push(() => {
      history.replaceState(state, unused, url);
    });
  } else if (isOver()) {
    if (marker && url) marker.here = new URL(url, location.href).href;
    replaceState({ ...state, over: true }, unused, url);
  } else {
    replaceState(state && { ...state, over: false }, unused, url);
  }
};

addEventListener(
  'popstate',
  (event) => {
    const left = marker;
    const isOwn = isLeaving;
    marker = null;
    isLeaving = false;
    if (isOver()) {
      // Forward restores nothing: what was open there no longer is.
      marker = { below: location.href, here: location.href };
      settle();
    } else if (left) {
      const isBelow = location.href === left.below;
      if (isBelow) {
        // The page and its position are unchanged: notify no other listeners.
        event.stopImmediatePropagation();
        if (left.here !== left.below) {
          nativeHistory.replaceState.call(history, history.state, '', left.here);
        }
        dispatchEvent(new Event('scroll'));
      }
      if (!isOwn) for (const close of isBelow ? open.slice(-1) : open.toReversed()) close();
      for (const ask of waiting.splice(0)) ask();
      if (isOwn) settle();
    }
  },
  { capture: true },
);

/** Adds or removes the extra history entry, depending on whether something is open. */
function settle(): void {
  if (isLeaving) return;
  if (open.length > 0 && !isOver()) {
    marker = { below: location.href, here: location.href };
    nativeHistory.pushState.call(history, { over: true }, '');
  } else if (open.length === 0 && isOver()) {
    isLeaving = true;
    history.back();
  }
}

/** While open, the back button calls `close`. */
export function useBackCloses(close: Close, isOpen = true): void {
  const onBack = useEffectEvent(close);
  useLayoutEffect(() => {
    if (!isOpen || !matchMedia(PHONE).matches) return;
    const mine = () => {
      onBack();
    };
    open.push(mine);
    settle();
    return () => {
      open.splice(open.indexOf(mine), 1);
      // Closing may open the next dialog or another page.
      setTimeout(settle);
    };
  }, [isOpen]);
}
