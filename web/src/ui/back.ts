/**
 * The way back on a phone closes what lies over the page, and nothing else. While something does, an entry of the page's own
 * address lies on top of the history; it goes when the last of them closes, however that happens.
 */
import { useEffectEvent, useLayoutEffect } from 'react';
// Its own wrapping of the history, which tells the app of changes, has to be the inner one.
import 'wouter/use-browser-location';
import { isOver } from '@/lib/over';

/** Where Back is what closes. On a desk it leaves the page, and an entry would cost the way forward. */
const PHONE = '(width < 64rem), (pointer: coarse)';

type Close = () => void;

/** What is open, the topmost last. */
const open: Close[] = [];
/** The addresses of the entry on top and of the one below it, which differ once the page has replaced its address. */
let marker: { below: string; here: string } | null = null;
/** The entry on top is being left; what the app asks of the history meanwhile waits. */
let isLeaving = false;
const waiting: (() => void)[] = [];

const pushState = history.pushState.bind(history);
const replaceState = history.replaceState.bind(history);
const unheard = History.prototype;

history.pushState = (state: unknown, unused, url) => {
  if (isLeaving) {
    waiting.push(() => {
      history.pushState(state, unused, url);
    });
  } else if (isOver()) {
    // The next page takes the place of the entry on top, which moves up where something stays open.
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
      // Forward leads to nothing: what was open there is not any more.
      marker = { below: location.href, here: location.href };
      settle();
    } else if (left) {
      const isBelow = location.href === left.below;
      if (isBelow) {
        // The page is the same, and stands where it stood: nobody has to hear of it.
        event.stopImmediatePropagation();
        if (left.here !== left.below) {
          unheard.replaceState.call(history, history.state, '', left.here);
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

/** Puts the entry on top of the history, or takes it away, as something is open or not. */
function settle(): void {
  if (isLeaving) return;
  if (open.length > 0 && !isOver()) {
    marker = { below: location.href, here: location.href };
    unheard.pushState.call(history, { over: true }, '');
  } else if (open.length === 0 && isOver()) {
    isLeaving = true;
    history.back();
  }
}

/** For as long as it is open, the way back calls `close`. */
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
      // What closes may lead on to the next dialog, or to another page.
      setTimeout(settle);
    };
  }, [isOpen]);
}
