/** Which of a film's heights a choice means. Pure. */

interface Size {
  width: number;
  height: number;
}

/** A film that stands upright is called by its shorter side, as one that lies is. */
export const shortSide = ({ width, height }: Size): number => Math.min(width || height, height);

/** What there is to choose from, the tallest first, each once. */
export const heightsOf = (levels: readonly Size[]): number[] =>
  [...new Set(levels.map(shortSide))].filter(Boolean).sort((a, b) => b - a);

/** The wanted height, or what comes next below it, or the smallest; 0, automatic, stays. */
export const fitting = (heights: readonly number[], wanted: number): number =>
  wanted === 0 ? 0 : (heights.find((height) => height <= wanted) ?? heights.at(-1) ?? 0);
