/** Moving one of a list to another place. Pure. */

/** The list with the item at `from` at `to` (both from 0); the same list where there is nothing to do. */
export function moved<Item>(items: Item[], from: number, to: number): Item[] {
  const item = items[from];
  if (item === undefined || from === to || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

/** The row whose middle is nearest to `y`: where something dragged there would go. */
export function rowAt(rows: { top: number; height: number }[], y: number): number {
  let best = 0;
  let distance = Infinity;
  rows.forEach(({ top, height }, index) => {
    const away = Math.abs(top + height / 2 - y);
    if (away < distance) {
      best = index;
      distance = away;
    }
  });
  return best;
}
