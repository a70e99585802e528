/** How many page links are shown. */
const WINDOW = 5;

/** Returns the window of pages around the current one. The window is full even at both ends. */
export function pageWindow(page: number, pages: number): number[] {
  const size = Math.min(WINDOW, pages);
  const first = Math.max(1, Math.min(page - Math.floor(WINDOW / 2), pages - size + 1));
  return Array.from({ length: size }, (_, index) => first + index);
}

/** Returns the page numbers to show: the first, those around the current one, and the last. */
export const pageNumbers = (page: number, pages: number): number[] => [
  ...new Set([1, ...pageWindow(page, pages), pages]),
];
