/** What these screens share: a page of a list, a row of links, and error states. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Link } from 'wouter';
import { NotFound } from '@/shared/layout/not-found';
import { paths } from '@/shared/address/paths';
import { ModelGridSkeleton } from '@/shared/cards/model-card';
import { Pagination } from './pagination';
import { useT } from '@/i18n';
import { useErrorText } from '@/i18n/errors';
import { cn } from '@/lib/cn';
import { ApiError, isNotFound } from '@/lib/http';
import { heading, useTitle } from '@/lib/title';
import { button } from '@/ui/button';
import { LoadError, Panel } from '@/ui/problem';
import type { Call } from '@/shared/queries/fresh';
import { useCommunityText } from '@/i18n/community';

const SKELETONS = 24;

/** A list's current page and the addresses of the others. */
export interface Place {
  page: number;
  href: (page: number) => string;
  /** Called if the list's owner doesn't exist, because the whole screen is then missing. */
  onMissing?: () => void;
}

export interface ListProps<Answer, Of extends keyof Answer> {
  query: Call<Answer>;
  /** The name of the field that contains the items. */
  of: Of;
  children: (items: Answer[Of]) => ReactNode;
  /** The text for an empty list. */
  none?: string;
  /** Shown while loading. */
  skeleton?: ReactNode;
  page: number;
  /**
   * A link to a page, or a callback that turns to it. With a callback, the list's title distinguishes its pagination from others on the
   * screen.
   */
  href?: (page: number) => string;
  onPick?: (page: number) => void;
  onMissing?: () => void;
  name?: string;
  /** A heading for a list that is hidden while it has no items. */
  title?: string;
}

/** A page of a list, which is loading, failed, empty or loaded. */
export function List<
  Of extends string,
  Answer extends { pages: number } & Record<Of, readonly unknown[]>,
>(props: ListProps<Answer, Of>) {
  const { query, of, children, none, page, href, onPick, onMissing, title, name = title } = props;
  const { skeleton = <ModelGridSkeleton count={SKELETONS} /> } = props;
  const t = useT();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...query,
    // Keep the current page while the next one loads.
    ...(onPick && { placeholderData: keepPreviousData }),
  });
  const top = useRef<HTMLElement>(null);
  const pages = isPlaceholderData ? undefined : data?.pages;
  useEffect(() => {
    // A page that no longer exists is replaced by the last one.
    if (page > 1 && pages !== undefined && page > pages) onPick?.(Math.max(1, pages));
  }, [page, pages, onPick]);
  const isMissing = !data && isNotFound(error);
  // This runs before a second heading is painted.
  useLayoutEffect(() => {
    if (isMissing) onMissing?.();
  }, [isMissing, onMissing]);
  // Scrolls to the top of the next page and moves the focus there.
  const pick =
    onPick &&
    ((next: number) => {
      onPick(next);
      top.current?.scrollIntoView({ block: 'start' });
      top.current?.focus({ preventScroll: true });
    });
  const Failed = title ? LoadError : Failure;
  if (error && !data) return <Failed error={error} onRetry={() => void refetch()} />;
  if (!data) return title ? null : <div aria-busy="true">{skeleton}</div>;
  const items = data[of];
  const turn = <Pagination page={page} pages={data.pages} of={name} href={href} onPick={pick} />;
  if (items.length === 0) {
    return title ? null : (
      <>
        <Panel title={none ?? t('empty.videos')} />
        {turn}
      </>
    );
  }
  return (
    <section
      ref={top}
      tabIndex={-1}
      aria-label={title}
      aria-busy={isPlaceholderData}
      className="scroll-mt-24 outline-none"
    >
      <h2 className={title ? 'pb-2 text-lg font-semibold tracking-tight' : 'sr-only'}>
        {title ?? t('filter.results')}
      </h2>
      {children(items)}
      {turn}
    </section>
  );
}

/** Shows that something is missing, private or currently unavailable. */
export function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (isNotFound(error)) return <NotFound />;
  if (error instanceof ApiError && error.status === 403) return <Private error={error} />;
  return <LoadError error={error} onRetry={onRetry} />;
}

function Private({ error }: { error: ApiError }) {
  const t = useT();
  const title = useCommunityText()('private');
  const why = useErrorText()(error, title);
  // The server uses this title, too, because it can't give details.
  useTitle(title);
  return (
    <div className="mx-auto flex min-h-[60dvh] max-w-xl flex-col items-center justify-center gap-4 px-4 text-center">
      <h1 className={heading}>{why}</h1>
      <Link href={paths.home} className={button.primary}>
        {t('notFound.home')}
      </Link>
    </div>
  );
}

/** A row of links, one of which leads to the current page. */
export function Row({ label, links }: { label: string; links: [string, string, boolean][] }) {
  const list = useRef<HTMLUListElement>(null);
  const current = links.find(([, , shown]) => shown)?.[0];
  // Members' own rows are longer and become known later.
  const words = links.map(([, text]) => text).join();
  useLayoutEffect(() => {
    const row = list.current;
    const link = row?.querySelector<HTMLElement>('[aria-current]');
    // On a phone, the row overflows, so scroll the current link into view.
    if (row && link) row.scrollLeft = link.offsetLeft - (row.clientWidth - link.offsetWidth) / 2;
  }, [current, words]);
  return (
    <nav aria-label={label}>
      <ul
        ref={list}
        className="relative -mx-4 flex gap-2 overflow-x-auto px-4 whitespace-nowrap [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:px-0"
      >
        {links.map(([href, text, current]) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={current ? 'page' : undefined}
              className={cn(
                'flex h-9 items-center rounded-full px-4 text-sm font-medium transition-colors',
                current ? 'bg-accent text-on-accent' : 'bg-raised hover:bg-hover',
              )}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
