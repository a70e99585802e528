/** Page titles, and their announcement to screen readers when the page changes. */
import { useEffect, useSyncExternalStore } from 'react';

let announced = '';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Names the page. An empty title (still loading) leaves the old one. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return;
    document.title = `${title} · Lantern`;
    announced = title;
    for (const listener of listeners) listener();
  }, [title]);
}

export function RouteAnnouncer() {
  const text = useSyncExternalStore(subscribe, () => announced);
  return (
    <div className="sr-only" aria-live="polite" aria-atomic="true">
      {text}
    </div>
  );
}
