/** Parses a friend site's list of videos (`/static/tf/videos.{id}.json`). This module is pure. */

export interface FriendVideo {
  title: string;
  url: string;
  thumb: string;
  duration: string;
}

/** The maximum number of videos shown. */
const MAX_SHOWN = 17;

const isVideo = (value: unknown): value is FriendVideo =>
  typeof value === 'object' &&
  value !== null &&
  ['title', 'url', 'thumb', 'duration'].every(
    (field) => typeof (value as Record<string, unknown>)[field] === 'string',
  );

/** Returns the list's videos that link to the friend's own site, because another site's response can't be trusted. */
export function friendVideos(answer: unknown, list: string): FriendVideo[] {
  const { videos } = Object(answer) as { videos?: unknown };
  const site = URL.parse(list)?.origin;
  const isTheirs = (address: string) => URL.parse(address)?.origin === site;
  return (Array.isArray(videos) ? videos : [])
    .filter(isVideo)
    .filter(({ url, thumb }) => isTheirs(url) && isTheirs(thumb))
    .slice(0, MAX_SHOWN);
}

/** Returns the list's address in the visitor's language and orientation. */
export function listAddress(list: string, audience: Record<'lang' | 'gender', string>): string {
  const url = new URL(list);
  url.searchParams.set('lang', audience.lang);
  url.searchParams.set('gender', audience.gender);
  return url.href;
}
