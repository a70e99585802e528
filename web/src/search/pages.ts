/** Page numbers shown at once. */
const WINDOW = 5;

/** The window of pages around the current one, kept full at both ends. */
export function pageWindow(page: number, pages: number): number[] {
  const size = Math.min(WINDOW, pages);
  const first = Math.max(1, Math.min(page - Math.floor(WINDOW / 2), pages - size + 1));
  return Array.from({ length: size }, (_, index) => first + index);
}

/** The page numbers to offer: the first, those around the current one, the last. */
export const pageNumbers = (page: number, pages: number): number[] => [
  ...new Set([1, ...pageWindow(page, pages), pages]),
];
