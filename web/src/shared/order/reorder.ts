/** Moving one of a list to another place. Pure. */

/** The list with the item at `from` at `to` (both from 0); the same list where there is nothing to do. */
export function moved<Item>(items: Item[], from: number, to: number): Item[] {
  const item = items[from];
  if (item === undefined || from === to || to < 0 || to >= items.length) return items;
  return items.toSpliced(from, 1).toSpliced(to, 0, item);
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Which box's middle is nearest to a point: where something dragged there would go. */
export function boxAt(boxes: readonly Box[], x: number, y: number): number {
  let best = 0;
  let distance = Infinity;
  boxes.forEach(({ left, top, width, height }, index) => {
    const away = Math.hypot(left + width / 2 - x, top + height / 2 - y);
    if (away < distance) {
      best = index;
      distance = away;
    }
  });
  return best;
}

const STEPS: Partial<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Where a key moves the one at `at` of `count` in rows of `columns`; null where it moves nothing. */
export function placeBy(key: string, at: number, count: number, columns: number): number | null {
  const rows: Partial<Record<string, number>> = { ArrowUp: -columns, ArrowDown: columns };
  const ends: Partial<Record<string, number>> = { Home: 0, End: count - 1 };
  const step = STEPS[key] ?? rows[key];
  const to = step === undefined ? ends[key] : at + step;
  return to === undefined || to === at || to < 0 || to >= count ? null : to;
}
