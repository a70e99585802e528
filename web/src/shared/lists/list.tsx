/** What these screens share: a page of a list, links in a row, and what is said where nothing may be shown. */
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

/** Where a list is: its page and the addresses of the others. */
export interface Place {
  page: number;
  href: (page: number) => string;
  /** Told that whose list it is isn't there: then the whole screen isn't. */
  onMissing?: () => void;
}

export interface ListProps<Answer, Of extends keyof Answer> {
  query: Call<Answer>;
  /** Under which name the answer has the items. */
  of: Of;
  children: (items: Answer[Of]) => ReactNode;
  /** Said where there are none. */
  none?: string;
  /** Stands in while they are on their way. */
  skeleton?: ReactNode;
  page: number;
  /** Where a page is, or what turns to it; then the list's name tells its pages from the screen's others. */
  href?: (page: number) => string;
  onPick?: (page: number) => void;
  onMissing?: () => void;
  name?: string;
  /** Shown above a list that is not there at all until it has items. */
  title?: string;
}

/** A page of a list: on its way, failed, empty, or there. */
export function List<
  Of extends string,
  Answer extends { pages: number } & Record<Of, readonly unknown[]>,
>(props: ListProps<Answer, Of>) {
  const { query, of, children, none, page, href, onPick, onMissing, title, name = title } = props;
  const { skeleton = <ModelGridSkeleton count={SKELETONS} /> } = props;
  const t = useT();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...query,
    // Nothing jumps while the next page is on its way.
    ...(onPick && { placeholderData: keepPreviousData }),
  });
  const top = useRef<HTMLElement>(null);
  const pages = isPlaceholderData ? undefined : data?.pages;
  useEffect(() => {
    // A page that is no more gives way to the last one.
    if (page > 1 && pages !== undefined && page > pages) onPick?.(Math.max(1, pages));
  }, [page, pages, onPick]);
  const isMissing = !data && isNotFound(error);
  // Before anybody sees a second heading.
  useLayoutEffect(() => {
    if (isMissing) onMissing?.();
  }, [isMissing, onMissing]);
  // The top of the next page comes into view and is where the keyboard goes on.
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

/** Not there, private, or not to be had now. */
export function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (isNotFound(error)) return <NotFound />;
  if (error instanceof ApiError && error.status === 403) return <Private error={error} />;
  return <LoadError error={error} onRetry={onRetry} />;
}

function Private({ error }: { error: ApiError }) {
  const t = useT();
  const title = useCommunityText()('private');
  const why = useErrorText()(error, title);
  // The server, which can't say it in so many words, has this title, too.
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

/** Links in a row of which one is the current page. */
export function Row({ label, links }: { label: string; links: [string, string, boolean][] }) {
  const list = useRef<HTMLUListElement>(null);
  const current = links.find(([, , shown]) => shown)?.[0];
  // Members' own rows are longer, and known later.
  const words = links.map(([, text]) => text).join();
  useLayoutEffect(() => {
    const row = list.current;
    const link = row?.querySelector<HTMLElement>('[aria-current]');
    // On a phone the row is longer than the window: the current one is brought into it.
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
