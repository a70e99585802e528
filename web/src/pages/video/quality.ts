/** Maps a chosen quality to the heights in which a video is available. This module is pure. */

interface Size {
  width: number;
  height: number;
}

/** The quality of any video is its shorter side, whether it is upright or landscape. */
export const shortSide = ({ width, height }: Size): number => Math.min(width || height, height);

/** Returns the available qualities, highest first and without duplicates. */
export const heightsOf = (levels: readonly Size[]): number[] =>
  [...new Set(levels.map(shortSide))].filter(Boolean).sort((a, b) => b - a);

/** Returns the wanted quality, else the next lower one, else the lowest. 0 (automatic) stays. */
export const fitting = (heights: readonly number[], wanted: number): number =>
  wanted === 0 ? 0 : (heights.find((height) => height <= wanted) ?? heights.at(-1) ?? 0);
