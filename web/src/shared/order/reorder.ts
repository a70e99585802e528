/** Moves items within a list. This module is pure. */

/** Moves the item at `from` to `to` (both from 0). Returns the same list if nothing changes. */
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

/** Returns the index of the box whose center is nearest to a point. This box is the drop target. */
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

/** Returns where a key moves the item at `at`, given `count` items in rows of `columns`. Returns null if it moves nowhere. */
export function placeBy(key: string, at: number, count: number, columns: number): number | null {
  const rows: Partial<Record<string, number>> = { ArrowUp: -columns, ArrowDown: columns };
  const ends: Partial<Record<string, number>> = { Home: 0, End: count - 1 };
  const step = STEPS[key] ?? rows[key];
  const to = step === undefined ? ends[key] : at + step;
  return to === undefined || to === at || to < 0 || to >= count ? null : to;
}
