/**
 * On phones, the back button closes the topmost overlay and nothing else. While any overlay is open, there is an extra history entry on
 * top that has the page's own address. It is removed when the last overlay closes, however that happens.
 */
import { useEffectEvent, useLayoutEffect } from 'react';
// Wouter's patch of the history notifies the app of changes. It is imported first, so that the functions below wrap it.
import 'wouter/use-browser-location';
import { isOver } from '@/lib/over';

/** Where Back closes overlays. On a desktop, Back leaves the page, and an extra entry would discard the forward history. */
const PHONE = '(width < 64rem), (pointer: coarse)';

type Close = () => void;

/** The open overlays. The topmost is last. */
const open: Close[] = [];
/** The addresses of the extra entry and of the one below it. They differ once the page has replaced its address. */
let marker: { below: string; here: string } | null = null;
/** Whether the extra entry is being removed. Until this is done, calls that change the history wait. */
let isLeaving = false;
const waiting: (() => void)[] = [];

const pushState = history.pushState.bind(history);
const replaceState = history.replaceState.bind(history);
const nativeHistory = History.prototype;

history.pushState = (state: unknown, unused, url) => {
  if (isLeaving) {
    waiting.push(() => history.pushState(state, unused, url));
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
    waiting.push(() => history.replaceState(state, unused, url));
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
      // Going forward to an extra entry reopens nothing, because its overlays no longer exist.
      marker = { below: location.href, here: location.href };
      settle();
    } else if (left) {
      const isBelow = location.href === left.below;
      if (isBelow) {
        // The page and its position are unchanged, so no other listeners are notified.
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

/** Makes the back button call `close` while something is open. */
export function useBackCloses(close: Close, isOpen = true): void {
  const onBack = useEffectEvent(close);
  useLayoutEffect(() => {
    if (!isOpen || !matchMedia(PHONE).matches) return;
    const mine = () => onBack();
    open.push(mine);
    settle();
    return () => {
      open.splice(open.indexOf(mine), 1);
      // Closing may open the next dialog or another page.
      setTimeout(settle);
    };
  }, [isOpen]);
}
