/** A playlist's videos above the player, with up to eight visible at once. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Link } from 'wouter';
import { usePlayerText } from '@/i18n/player';
import { cn } from '@/lib/cn';
import { ApiError } from '@/lib/http';
import { paths } from '@/shared/address/paths';
import { playlistQuery } from '@/shared/queries/community';
import { button } from '@/ui/button';
import { Icon } from '@/ui/icons';
import { LoadError } from '@/ui/problem';
import { neighbours, usePlaylist, type Entry, type Place } from './use-playlist';

/** How near to an end the strip must be scrolled before the next page is requested. */
const NEAR_PX = 400;
const VISIBLE = 8;
const item = 'w-30 shrink-0 sm:w-[max(5.5rem,calc((100%_-_56px)/8))]';

export default function PlaylistStrip({ place, videoId }: { place: Place; videoId: number }) {
  const { list, entries, count } = usePlaylist(place);
  const { data } = useQuery(playlistQuery(place.id));
  const { error, refetch } = list;
  if (error && !list.data) {
    // If the playlist is missing or private, only the video is shown.
    if (error instanceof ApiError && [403, 404].includes(error.status)) return null;
    return <LoadError error={error} onRetry={() => void refetch()} />;
  }
  const title = data?.playlist.title ?? '';
  return (
    <section aria-label={title} className="flex flex-col gap-2 px-4 pb-3 sm:px-0">
      <Head id={place.id} title={title} entries={entries} count={count} videoId={videoId} />
      {list.data ? (
        <Videos list={list} entries={entries} videoId={videoId} />
      ) : (
        <div aria-busy="true" className="flex gap-2 overflow-hidden">
          {Array.from({ length: VISIBLE }, (_, index) => (
            <div key={index} className={item}>
              <div className="skeleton aspect-video rounded-control" />
              <div className="h-10" />
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

interface StripPlace {
  entries: Entry[];
  videoId: number;
}

interface HeadProps extends StripPlace {
  /** Id of the playlist. */
  id: number;
  title: string;
  count: number;
}

function Head({ id, title, entries, count, videoId }: HeadProps) {
  const say = usePlayerText();
  const { previous, current, next } = neighbours(entries, videoId);
  return (
    <div className="flex min-h-11 items-center gap-2">
      <Link
        href={paths.playlist(id)}
        className="truncate text-sm font-semibold hover:text-accent hover:underline"
      >
        {title}
      </Link>
      {current && (
        <span className="shrink-0 text-sm text-muted tabular-nums">
          {say('place', { number: current.number, count })}
        </span>
      )}
      <span className="ms-auto flex">
        {([previous, next] as const).map((entry, index) =>
          entry ? (
            <Link
              key={index}
              href={paths.listed(entry.video)}
              aria-label={say(index === 0 ? 'previousVideo' : 'nextVideo')}
              className={cn(button.icon, 'size-11')}
            >
              <Icon name={index === 0 ? 'left' : 'right'} />
            </Link>
          ) : (
            <span key={index} className="size-11" />
          ),
        )}
      </span>
    </div>
  );
}

function Videos({
  list,
  entries,
  videoId,
}: StripPlace & Pick<ReturnType<typeof usePlaylist>, 'list'>) {
  const row = useRef<HTMLUListElement>(null);
  const first = entries[0]?.number ?? 1;
  const shown = useRef(first);
  const look = () => {
    const node = row.current;
    if (!node) return;
    const { scrollLeft, clientWidth, scrollWidth } = node;
    if (scrollLeft < NEAR_PX && list.hasPreviousPage && !list.isFetchingPreviousPage) {
      void list.fetchPreviousPage();
    } else if (
      scrollLeft + clientWidth > scrollWidth - NEAR_PX &&
      list.hasNextPage &&
      !list.isFetchingNextPage
    ) {
      void list.fetchNextPage();
    }
  };
  useLayoutEffect(() => {
    const node = row.current;
    const current = node?.querySelector<HTMLElement>('[aria-current]')?.parentElement;
    if (node && current) {
      node.scrollLeft = current.offsetLeft - (node.clientWidth - current.offsetWidth) / 2;
    }
  }, [videoId]);
  useLayoutEffect(() => {
    const node = row.current;
    const [start] = node?.children ?? [];
    const old = node?.children[shown.current - first];
    // Prepending videos must not move the visible ones.
    if (node && start instanceof HTMLElement && old instanceof HTMLElement) {
      node.scrollLeft += old.offsetLeft - start.offsetLeft;
    }
    shown.current = first;
  }, [first]);
  useEffect(look);
  return (
    <ul
      ref={row}
      onScroll={look}
      aria-busy={list.isFetching}
      className="relative flex gap-2 overflow-x-auto overscroll-x-contain [scrollbar-width:thin]"
    >
      {entries.map(({ video, number }) => {
        const isCurrent = video.video_id === videoId;
        return (
          <li key={number} className={item}>
            <Link
              href={paths.listed(video)}
              aria-current={isCurrent ? 'true' : undefined}
              className={cn(
                'group/entry block text-xs leading-4 font-medium -outline-offset-2',
                isCurrent ? 'text-accent' : 'hover:text-accent',
              )}
            >
              <span
                className={cn(
                  'relative block aspect-video overflow-hidden rounded-control bg-raised',
                  isCurrent && 'border-2 border-accent',
                )}
              >
                {video.thumb && (
                  <img
                    src={video.thumb}
                    alt=""
                    width={320}
                    height={180}
                    loading="lazy"
                    className="size-full object-cover"
                  />
                )}
                <span className="absolute start-1 bottom-1 rounded bg-black/75 px-1 text-[11px] font-semibold text-white tabular-nums">
                  {number}
                </span>
              </span>
              <span className="mt-1 line-clamp-2 h-8">{video.title}</span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
