/** A guest's watch history, as stored in the browser, newest first. This module is pure. */
import type { Video, VideoCard } from '@/api/types';
import { limits } from '@/lib/limits';
import { secondsOf, type History, type Title, type WatchedVideo } from './stored';

/** The maximum number of entries, because local storage holds only about 5 MB per site. */
export const MAX_ENTRIES = 300;

/** Returns the fields that a card needs, without those that only a video's page needs. */
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

/** The fields that a video's page has. */
export type VideoFacts = Omit<VideoCard, 'playlist_id' | 'page'> &
  Pick<Video, 'original_title' | 'lang'>;

/** Returns the history with the video first. Its position stays the same unless a new one is given. */
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
  return { ...history, items: [item, ...others].slice(0, MAX_ENTRIES) };
}

export const without = (history: History, id: number): History => ({
  ...history,
  items: history.items.filter(({ video }) => video.video_id !== id),
});

/** Returns the history with an entry restored to its place. Newer entries are kept. */
export function restored(history: History, before: WatchedVideo[], id: number): History {
  const at = before.findIndex(({ video }) => video.video_id === id);
  const entry = before[at];
  if (!entry || history.items.some(({ video }) => video.video_id === id)) return history;
  const behind = new Set(before.slice(at + 1).map(({ video }) => video.video_id));
  const place = history.items.findIndex(({ video }) => behind.has(video.video_id));
  return { ...history, items: history.items.toSpliced(place < 0 ? Infinity : place, 0, entry) };
}

/** Returns the title to show: the original instead of a translation into a previously chosen language. */
export const titleIn = ({ video, original }: WatchedVideo, lang: string): Title =>
  original && video.title_lang !== lang
    ? original
    : { title: video.title, title_lang: video.title_lang };

/** Whether too little was watched to resume. */
const isFew = (seconds: number): boolean => seconds < limits().resume[0];
/** Whether enough was watched to count as finished. */
const isWhole = (seconds: number, duration: number): boolean =>
  seconds > (duration * limits().resume[1]) / 100;

/** Returns the position to resume at, which is the start if the video was barely begun or is finished. */
export const resumeAt = (seconds: number, duration: number): number =>
  isFew(seconds) || isWhole(seconds, duration) ? 0 : Math.floor(seconds);

/** Returns the position to store, which is the full duration if the video was watched to the end. */
export const noteAt = (seconds: number, duration: number, length: number): number =>
  isFew(seconds)
    ? 0
    : isWhole(seconds, duration)
      ? Math.max(length, Math.ceil(seconds))
      : Math.floor(seconds);

/** Whether a video was partly watched and can be resumed. */
export const isUnfinished = ({
  video,
  stopped_at,
}: Pick<WatchedVideo, 'video' | 'stopped_at'>): boolean =>
  resumeAt(stopped_at, secondsOf(video.duration)) > 0;

/** Returns one page of the list, from 1, and the number of pages. */
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
