/** Maps a quality choice to a video's heights. Pure. */

interface Size {
  width: number;
  height: number;
}

/** An upright video's quality is its shorter side, like a landscape one's. */
export const shortSide = ({ width, height }: Size): number => Math.min(width || height, height);

/** Available qualities, highest first, each once. */
export const heightsOf = (levels: readonly Size[]): number[] =>
  [...new Set(levels.map(shortSide))].filter(Boolean).sort((a, b) => b - a);

/** The wanted quality, or the next lower one, or the lowest; 0 (automatic) stays. */
export const fitting = (heights: readonly number[], wanted: number): number =>
  wanted === 0 ? 0 : (heights.find((height) => height <= wanted) ?? heights.at(-1) ?? 0);
