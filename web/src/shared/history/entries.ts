/** What was watched, the newest first, as a guest's browser stores it. Pure. */
import type { Video, VideoCard } from '@/api/types';
import { limits } from '@/lib/limits';
import { secondsOf, type History, type Title, type WatchedVideo } from './stored';

/** More would crowd local storage, which a site has about 5 MB of. */
export const MOST = 300;

/** What a card shows of a video, without what only its page needs. */
export const cardOf = (video: VideoCard): VideoCard => ({
  thumb: video.thumb,
  thumbsrc: video.thumbsrc,
  scr: video.scr,
  img: video.img,
  video_id: video.video_id,
  dir: video.dir,
  title: video.title,
  title_lang: video.title_lang,
  duration: video.duration,
  post_date: video.post_date,
  rating: video.rating,
  video_viewed: video.video_viewed,
  comments: video.comments,
  is_hd: video.is_hd,
  is_uncensored: video.is_uncensored,
  models: video.models,
  categories: [],
});

/** What a video's page knows of it. */
export type VideoFacts = Omit<VideoCard, 'playlist_id' | 'page'> &
  Pick<Video, 'original_title' | 'lang'>;

/** With the video in front. Its position stays where none is given. */
export function watched(
  history: History,
  { video, now, stoppedAt }: { video: VideoFacts; now: string; stoppedAt?: number | undefined },
): History {
  if (history.paused) return history;
  const old = history.items.find((item) => item.video.video_id === video.video_id);
  const item = {
    video: cardOf(video),
    original: { title: video.original_title, title_lang: video.lang },
    watched_at: now,
    stopped_at: stoppedAt ?? old?.stopped_at ?? 0,
  };
  const others = history.items.filter((other) => other !== old);
  return { ...history, items: [item, ...others].slice(0, MOST) };
}

export const without = (history: History, id: number): History => ({
  ...history,
  items: history.items.filter(({ video }) => video.video_id !== id),
});

/** With an entry where it was before, and what came meanwhile. */
export function restored(history: History, before: WatchedVideo[], id: number): History {
  const at = before.findIndex(({ video }) => video.video_id === id);
  const entry = before[at];
  if (!entry || history.items.some(({ video }) => video.video_id === id)) return history;
  const behind = new Set(before.slice(at + 1).map(({ video }) => video.video_id));
  const place = history.items.findIndex(({ video }) => behind.has(video.video_id));
  return { ...history, items: history.items.toSpliced(place < 0 ? Infinity : place, 0, entry) };
}

/** The title a visitor reads: a translation into a language of somebody's former choice gives way to the original. */
export const titleIn = ({ video, original }: WatchedVideo, lang: string): Title =>
  original && video.title_lang !== lang
    ? original
    : { title: video.title, title_lang: video.title_lang };

/** Somebody who saw less of it starts over. */
const isFew = (seconds: number): boolean => seconds < limits().resume[0];
/** Somebody who saw more of it has seen it. */
const isWhole = (seconds: number, duration: number): boolean =>
  seconds > (duration * limits().resume[1]) / 100;

/** Where somebody who was at `seconds` goes on: at the start, if that was the beginning or the end. */
export const resumeAt = (seconds: number, duration: number): number =>
  isFew(seconds) || isWhole(seconds, duration) ? 0 : Math.floor(seconds);

/** What is noted of a place in a film: its whole length where it was seen to the end. */
export const noteAt = (seconds: number, duration: number, length: number): number =>
  isFew(seconds)
    ? 0
    : isWhole(seconds, duration)
      ? Math.max(length, Math.ceil(seconds))
      : Math.floor(seconds);

/** Whether a video was seen in part, so that somebody may go on with it. */
export const isUnfinished = ({
  video,
  stopped_at,
}: Pick<WatchedVideo, 'video' | 'stopped_at'>): boolean =>
  resumeAt(stopped_at, secondsOf(video.duration)) > 0;

/** One page of the list, from 1, and how many there are. */
export function pageOf<Item>(
  items: Item[],
  page: number,
  size: number,
): { items: Item[]; pages: number } {
  return {
    items: items.slice((page - 1) * size, page * size),
    pages: Math.ceil(items.length / size),
  };
}
