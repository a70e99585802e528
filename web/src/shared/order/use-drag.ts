/** Lets visitors drag list items by their handles, with a mouse or by touch. */
import { useRef, useState, type CSSProperties, type PointerEvent } from 'react';
import { boxAt, moved } from './reorder';

/** How near, in pixels, the pointer must be to the window's edge for the page to scroll, and by how much it then scrolls. */
const EDGE = 96;
const SCROLL = 16;

/**
 * Positions start at 0. The dragged item is rendered at its new place until it is dropped. The DOM order stays the same, so that the
 * pointer keeps its handle.
 */
export function useDrag<List extends HTMLElement>(
  count: number,
  onMove: (from: number, to: number) => void,
) {
  const list = useRef<List>(null);
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null);
  const order =
    drag &&
    moved(
      Array.from({ length: count }, (_, at) => at),
      drag.from,
      drag.to,
    );
  const over = ({ clientX, clientY }: PointerEvent): number => {
    const boxes = [...(list.current?.children ?? [])].map((item) => item.getBoundingClientRect());
    return order?.indexOf(boxAt(boxes, clientX, clientY)) ?? 0;
  };
  const end = () => setDrag(null);
  return {
    list,
    /** The dragged item's index, if there is one. */
    dragged: drag?.from ?? null,
    styleOf: (index: number): CSSProperties | undefined =>
      order ? { order: order.indexOf(index) } : undefined,
    handle: (index: number) => ({
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: index, to: index });
      },
      onPointerMove: (event: PointerEvent) => {
        if (!drag) return;
        if (event.clientY < EDGE) scrollBy(0, -SCROLL);
        else if (event.clientY > innerHeight - EDGE) scrollBy(0, SCROLL);
        setDrag({ ...drag, to: over(event) });
      },
      onPointerUp: () => {
        if (drag) onMove(drag.from, drag.to);
        end();
      },
      onPointerCancel: end,
    }),
  };
}
