/** Dragging list items by their handles, by mouse or touch. */
import { useRef, useState, type CSSProperties, type PointerEvent } from 'react';
import { boxAt, moved } from './reorder';

/** Distance from the window's edge, in pixels, at which the page scrolls, and the step. */
const EDGE = 96;
const SCROLL = 16;

/**
 * Positions from 0. The dragged item is rendered at its new place until dropped; the DOM order stays, and so the pointer keeps its handle.
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
  const end = () => {
    setDrag(null);
  };
  return {
    list,
    /** Index of the dragged item, if any. */
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
