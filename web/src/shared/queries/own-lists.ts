/** The member's own lists: never from a cache that others share. */
import { queryOptions } from '@tanstack/react-query';
import type { Schema, Url } from '@/api/call';
import type { VideoCard } from '@/api/types';
import { getJson } from '@/lib/http';

/** A video of a list of one's own, with what only its owner knows; a guest's history knows less of it. */
export type OwnVideo = VideoCard &
  Partial<Pick<Schema<'OwnVideo'>, 'stopped_at' | 'status_id' | 'is_private' | 'readd_at'>>;
export type Person = Schema<'MemberCard'>;
export type Conversation = Schema<'Conversation'>;

/** Which of its answers the call gives for a list: the document names them, but not for which. */
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
}
export type ListName = Schema<'MemberList'>;
export type ListAnswer<Name extends ListName> = Lists[Name];

/** The list's address: also its key. */
export const listUrl = (list: ListName, page: number, lang: string) =>
  `/api/member_lists.php?list=${list}&page=${String(page)}&lang=${lang}` satisfies Url<'/api/member_lists.php'>;

export const listQuery = <Name extends ListName>(list: Name, page: number, lang: string) => {
  const url: string = listUrl(list, page, lang);
  return queryOptions({
    queryKey: [url],
    queryFn: ({ signal }) => getJson<ListAnswer<Name>>(url, signal),
    staleTime: 0,
  });
};
