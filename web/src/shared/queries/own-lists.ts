/** The member's own lists, which never come from a shared cache. */
import { queryOptions } from '@tanstack/react-query';
import type { Path, Query, Schema } from '@/api/call';
import { addressOf, fetchAnswer, get } from '@/api/client';
import type { VideoCard } from '@/api/types';
import type { Lang } from '@/lib/audience';

/** A video in an own list, which has owner-only fields. In a guest's history, it has fewer fields. */
export type OwnVideo = VideoCard &
  Partial<
    Pick<
      Schema<'OwnVideo'>,
      'stopped_at' | 'status_id' | 'is_private' | 'readd_at' | 'publish_at' | 'has_lost_audio'
    >
  >;

/** The response type for each list. The API description contains the types, but not which list has which. */
interface Lists extends Record<ListName, Schema<'MemberListAnswer'>> {
  favourite_videos: Schema<'OwnVideos'>;
  watch_later_videos: Schema<'OwnVideos'>;
  history: Schema<'OwnVideos'> & { paused: boolean };
  uploaded_videos: Schema<'OwnVideos'>;
  feed: Schema<'OwnVideos'>;
  albums: Schema<'OwnAlbums'>;
  playlists: Schema<'OwnPlaylists'>;
  subscriptions: Schema<'OwnSubscriptions'>;
  friend_requests: Schema<'OwnMembers'>;
  blocks: Schema<'OwnMembers'>;
  messages: Schema<'Conversations'>;
  saved_searches: Schema<'SavedSearches'>;
  notifications: Schema<'OwnNotifications'>;
}
export type ListName = Schema<'MemberList'>;
export type ListAnswer<Name extends ListName> = Lists[Name];

const LISTS = '/api/member_lists.php' satisfies Path;

/** Returns the list's URL, which is also its key. */
export const listUrl = (list: ListName, page: number, lang: Lang): string =>
  addressOf(LISTS, { list, page, lang });

export const listQuery = <Name extends ListName>(list: Name, page: number, lang: Lang) =>
  queryOptions({
    ...get<typeof LISTS, ListAnswer<Name>>(LISTS, { list, page, lang }),
    staleTime: 0,
  });

/** Fetches one part of a list. */
export const fetchPart = <Name extends ListName>(
  list: Name,
  part: Omit<Query<typeof LISTS>, 'list'>,
  signal: AbortSignal,
) => fetchAnswer<typeof LISTS, ListAnswer<Name>>(LISTS, { list, ...part }, signal);
