/** Interprets taps on the picture. This module is pure. */

/** The maximum interval between the two taps of a double tap, in ms. */
export const DOUBLE_MS = 300;

/** The left, middle or right third of the picture. */
export type Side = -1 | 0 | 1;

export interface Tap {
  /** The time in milliseconds. */
  at: number;
  side: Side;
}

export const sideOf = (x: number, width: number): Side =>
  x < width / 3 ? -1 : x > (width * 2) / 3 ? 1 : 0;

interface Film {
  isBegun: boolean;
  paused: boolean;
}

/**
 * `jump` seeks towards the tap's side. `playSoon` plays unless a second tap turns it into a jump. `controls` leaves the tap to
 * media-chrome, which toggles the controls.
 */
export type Meaning = 'play' | 'playSoon' | 'jump' | 'controls';

export function meaningOf(tap: Tap, before: Tap | null, film: Film): Meaning {
  if (!film.isBegun) return 'play';
  if (tap.side !== 0 && tap.side === before?.side && tap.at - before.at < DOUBLE_MS) return 'jump';
  if (!film.paused) return 'controls';
  return tap.side === 0 ? 'play' : 'playSoon';
}
