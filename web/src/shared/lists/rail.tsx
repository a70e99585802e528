import { useLayoutEffect, useRef, type ReactNode } from 'react';

/**
 * The column beside a list. It has no scroll bar of its own: a column taller than the window scrolls with the page until its end is
 * visible, and then stays.
 */
export function Rail({ label, children }: { label: string; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = content.current;
    if (!node) return;
    const size = new ResizeObserver(() =>
      node.style.setProperty('--rail', `${String(node.offsetHeight)}px`),
    );
    size.observe(node);
    return () => size.disconnect();
  }, []);
  return (
    <aside aria-label={label}>
      <div ref={content} className="sticky top-[min(5rem,calc(100dvh-var(--rail,0px)-1rem))] pb-4">
        {children}
      </div>
    </aside>
  );
}
