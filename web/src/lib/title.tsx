/** Sets page titles, and announces them to screen readers when the page changes. */
import { useEffect } from 'react';
import { useT } from '@/i18n';
import { createStore } from './store';

const announced = createStore('');

/** Sets the page's title. If the title is empty because the page is still loading, the old title stays. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (!title) return;
    document.title = `${title} · Lantern`;
    announced.write(title);
  }, [title]);
}

/** Sets a title with its page number, as the server does. */
export function usePageTitle(title: string | undefined, page: number): void {
  const t = useT();
  useTitle(title && (page > 1 ? `${title} – ${t('pages.page', { page })}` : title));
}

/** The type scale for page headings and section headings. */
export const heading =
  'text-[22px] leading-7 font-semibold tracking-tight text-balance lg:text-2xl lg:leading-8';
export const section = 'text-lg leading-6 font-semibold tracking-tight';

export function RouteAnnouncer() {
  return (
    <div className="sr-only" aria-live="polite" aria-atomic="true">
      {announced.useValue()}
    </div>
  );
}
