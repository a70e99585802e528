/** The member's own lists: never from a cache that others share. */
import { queryOptions } from '@tanstack/react-query';
import type { Schema } from '@/api/call';
import type { VideoCard } from '@/api/types';
import { getJson } from '@/lib/http';

interface Paged {
  total_count: number;
  pages: number;
}
/** A video of a list of one's own, with what only its owner knows. */
export type OwnVideo = VideoCard & {
  /** Seconds. */
  stopped_at?: number;
  /** 5 is deleted. */
  status_id?: number;
  is_private?: boolean | number;
};
export type Person = Schema<'MemberCard'>;
export interface Conversation {
  user: Pick<Person, 'user_id' | 'username' | 'avatar'>;
  last: { text: string; created_at: string; own: boolean };
  unread: number;
}

interface Lists {
  favourite_videos: { videos: OwnVideo[] };
  watch_later_videos: { videos: OwnVideo[] };
  history: { videos: OwnVideo[]; paused: boolean };
  uploaded_videos: { videos: OwnVideo[] };
  feed: { videos: OwnVideo[] };
  albums: { albums: Schema<'AlbumCard'>[] };
  playlists: { playlists: Schema<'PlaylistCard'>[] };
  subscriptions: { subscriptions: Schema<'Subscription'>[] };
  friend_requests: { members: Person[] };
  blocks: { members: Person[] };
  messages: { conversations: Conversation[] };
}
export type ListName = keyof Lists;
export type ListAnswer<Name extends ListName> = Lists[Name] & Paged;

/** The list's address: also its key. */
export const listUrl = (list: ListName, page: number, lang: string): string =>
  `/api/member_lists.php?list=${list}&page=${String(page)}&lang=${lang}`;

export const listQuery = <Name extends ListName>(list: Name, page: number, lang: string) => {
  const url = listUrl(list, page, lang);
  return queryOptions({
    queryKey: [url],
    queryFn: ({ signal }) => getJson<ListAnswer<Name>>(url, signal),
    staleTime: 0,
  });
};
