/** Parses a friend site's list of videos (`/static/tf/videos.{id}.json`). Pure. */

export interface FriendVideo {
  title: string;
  url: string;
  thumb: string;
  duration: string;
}

/** Maximum shown. */
const MAX_SHOWN = 17;

const isVideo = (value: unknown): value is FriendVideo =>
  typeof value === 'object' &&
  value !== null &&
  ['title', 'url', 'thumb', 'duration'].every(
    (field) => typeof (value as Record<string, unknown>)[field] === 'string',
  );

/** The list's videos that link to its own site: the response of another site can't be trusted. */
export function friendVideos(answer: unknown, list: string): FriendVideo[] {
  const { videos } = Object(answer) as { videos?: unknown };
  const site = URL.parse(list)?.origin;
  const isTheirs = (address: string) => URL.parse(address)?.origin === site;
  return (Array.isArray(videos) ? videos : [])
    .filter(isVideo)
    .filter(({ url, thumb }) => isTheirs(url) && isTheirs(thumb))
    .slice(0, MAX_SHOWN);
}

/** The list's address in a visitor's language and orientation. */
export function listAddress(list: string, audience: Record<'lang' | 'gender', string>): string {
  const url = new URL(list);
  url.searchParams.set('lang', audience.lang);
  url.searchParams.set('gender', audience.gender);
  return url.href;
}
