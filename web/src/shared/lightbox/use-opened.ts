/** Keeps the open picture in the address, so that a link opens it and the back button closes it. */
import { navigate, useLocationProperty } from 'wouter/use-browser-location';
import { hashOf, placeIn } from './places';

/** A state that says whether the previous history entry is the same page without a picture. */
interface HistoryState {
  lightbox?: boolean;
}

const readHash = () => location.hash;
const isMarked = (): boolean => (history.state as HistoryState | null)?.lightbox === true;
const here = () => location.pathname + location.search;

export function useOpened(count: number) {
  const index = placeIn(useLocationProperty(readHash), count);
  return {
    index,
    show: (next: number) => {
      // One step back closes the viewer, however many pictures were viewed.
      if (index === null) navigate(here() + hashOf(next), { state: { lightbox: true } });
      else navigate(here() + hashOf(next), { replace: true, state: { lightbox: isMarked() } });
    },
    close: () => {
      if (isMarked()) history.back();
      else navigate(here(), { replace: true });
    },
  };
}
