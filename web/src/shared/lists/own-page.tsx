/** A page of an own list: on its way, failed, empty, or there. */
import { useQuery, type UseQueryOptions } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { VideoGridSkeleton } from '@/shared/cards/video-grid';
import { TURNED, turnedTop, useTurning } from './list';
import { Pagination } from './pagination';
import { useT } from '@/i18n';
import { LoadError, Panel } from '@/ui/problem';

const SKELETONS = 12;

interface Props<Answer extends { pages: number }> {
  query: UseQueryOptions<Answer, Error, Answer, string[]>;
  /** The items, or null where there are none. */
  children: (answer: Answer) => ReactNode;
  none: string;
  skeleton?: ReactNode;
  page: number;
  /** Where a page is, or what turns to it; then the list's name tells its pages from the screen's others. */
  href?: (page: number) => string;
  onPick?: (page: number) => void;
  name?: string;
}

export function OwnPage<Answer extends { pages: number }>(props: Props<Answer>) {
  const { query, children, none, skeleton, page, href, onPick, name } = props;
  const t = useT();
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...query,
    ...(onPick && TURNED),
  });
  const { top, pick } = useTurning(page, isPlaceholderData ? undefined : data?.pages, onPick);
  if (error && !data) return <LoadError error={error} onRetry={() => void refetch()} />;
  if (!data) {
    return <div aria-busy="true">{skeleton ?? <VideoGridSkeleton count={SKELETONS} />}</div>;
  }
  const items = children(data);
  if (items === null) return <Panel title={none} />;
  return (
    <section ref={top} tabIndex={-1} aria-busy={isPlaceholderData} className={turnedTop}>
      <h2 className="sr-only">{t('filter.results')}</h2>
      {items}
      <Pagination
        page={page}
        pages={data.pages}
        {...(name && { of: name })}
        {...(href && { href })}
        {...(pick && { onPick: pick })}
      />
    </section>
  );
}

/** Where a list of an own tab is: its page and the addresses of the others. */
export interface Place {
  page: number;
  href: (page: number) => string;
}
