/** A block of the home page in a single row. It is scrolled by touch, by tabbing through its links, or by a button at each end. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useT } from '@/i18n';
import { cn } from '@/lib/cn';
import { Icon } from '@/ui/icons';

const LOOKS = { lead: 'shelf shelf-lead', videos: 'shelf', models: 'shelf shelf-models' };
export type ShelfKind = keyof typeof LOOKS;

/** A placeholder for a shelf's content. */
export const ShelfSpace = ({ kind, children }: { kind: ShelfKind; children: ReactNode }) => (
  <div className={cn('overflow-hidden', LOOKS[kind])}>{children}</div>
);

interface Props {
  kind: ShelfKind;
  /** The shelf's name, which distinguishes its buttons from other shelves' buttons. */
  name: string;
  /** The list. */
  children: ReactNode;
}

export function Shelf({ kind, name, children }: Props) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  // Until the shelf is measured, there is nothing to scroll.
  const [end, setEnd] = useState({ left: true, right: true });
  useEffect(() => {
    const list = box.current?.querySelector('ul');
    if (!list) return;
    const measure = () => {
      const { scrollLeft, clientWidth, scrollWidth } = list;
      setEnd({ left: scrollLeft < 1, right: scrollLeft + clientWidth > scrollWidth - 1 });
    };
    // This also reports the initial size.
    const watcher = new ResizeObserver(measure);
    watcher.observe(list);
    list.addEventListener('scroll', measure, { passive: true });
    return () => {
      watcher.disconnect();
      list.removeEventListener('scroll', measure);
    };
  }, []);
  const button = (side: 'left' | 'right', label: string) => (
    <button
      type="button"
      aria-label={`${name}: ${label}`}
      // This isn't `disabled`, so that the button keeps the focus when the end is reached.
      aria-disabled={end[side]}
      onClick={() => {
        const list = box.current?.querySelector('ul');
        list?.scrollBy({ left: (side === 'left' ? -1 : 1) * list.clientWidth });
      }}
      className={cn(
        'absolute top-[calc(50%-3.5rem)] z-3 hidden size-11 place-items-center rounded-full border border-line bg-surface shadow-pop transition-opacity hover:bg-raised pointer-fine:grid',
        side === 'left' ? '-start-3' : '-end-3',
        end[side] && 'opacity-0 focus-visible:opacity-60 pointer-events-none',
      )}
    >
      <Icon name={side} />
    </button>
  );
  return (
    <div ref={box} className={cn('relative', LOOKS[kind])}>
      {button('left', t('pages.previous'))}
      {children}
      {button('right', t('pages.next'))}
    </div>
  );
}
