/** Page titles, and their announcement to screen readers when the page changes. */
import { useEffect } from 'react';
import { createStore } from './store';

const announced = createStore('');

/** Names the page. An empty title (still loading) leaves the old one. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return;
    document.title = `${title} · Lantern`;
    announced.write(title);
  }, [title]);
}

export function RouteAnnouncer() {
  return (
    <div className="sr-only" aria-live="polite" aria-atomic="true">
      {announced.useValue()}
    </div>
  );
}
