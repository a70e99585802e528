/** The playlist that is being played. Its pages load one by one in both directions, starting from the page in the address. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import type { VideoCard } from '@/api/types';
import { useVisitor } from '@/lib/visitor';
import { PAGE_SIZE } from '../../../generated/vocabulary';
import { playlistVideosQuery } from '@/shared/queries/community';

/** A playlist and one of its pages. */
export interface Place {
  id: number;
  page: number;
}

export interface Entry {
  video: VideoCard;
  /** The video's position in the playlist, from 1. */
  number: number;
}

export function usePlaylist({ id, page }: Place) {
  const visitor = useVisitor();
  const client = useQueryClient();
  const list = useInfiniteQuery({
    queryKey: ['playlist', id, page, visitor.gender, visitor.lang],
    // This goes through the cache for single pages, so that a page is already there when the address moves to it.
    queryFn: ({ pageParam }) => client.query(playlistVideosQuery(id, pageParam, visitor)),
    initialPageParam: page,
    getNextPageParam: ({ pages }, _all, last) => (last < pages ? last + 1 : null),
    getPreviousPageParam: (_answer, _all, first) => (first > 1 ? first - 1 : null),
  });
  const { pages = [], pageParams = [] } = list.data ?? {};
  const entries = pages.flatMap(({ videos }, index): Entry[] => {
    const at = Number(pageParams[index]);
    return videos.map((video, place) => ({
      video,
      number: (at - 1) * PAGE_SIZE + place + 1,
    }));
  });
  return { list, entries, count: pages.at(-1)?.total_count ?? 0 };
}

/** Returns a video's neighbors, or none if the video isn't in the loaded pages. */
export function neighbours(entries: readonly Entry[], id: number) {
  const at = entries.findIndex(({ video }) => video.video_id === id);
  return {
    previous: at > 0 ? entries[at - 1] : undefined,
    current: entries[at],
    next: at === -1 ? undefined : entries[at + 1],
  };
}
