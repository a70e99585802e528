/** History entries for overlays: sheets, menus and dialogs. Each entry has the same address as the one below it. */

interface HistoryState {
  over?: boolean;
}

export const isOver = (): boolean => (history.state as HistoryState | null)?.over === true;

/** After a reload, no overlay is open any more, and one step back must leave the page. */
export function leaveOver(): void {
  if (isOver()) history.back();
}
