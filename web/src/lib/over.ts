/** History entries of what lies over a page: a sheet, a menu, a dialog. Each has the address of the entry below it. */

interface HistoryState {
  over?: boolean;
}

export const isOver = (): boolean => (history.state as HistoryState | null)?.over === true;

/** After a reload nothing lies over the page any more, and one step back must lead away from it. */
export function leaveOver(): void {
  if (isOver()) history.back();
}
