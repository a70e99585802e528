/** Format of a guest's history in local storage, with all that cards need. Pure. */
import type { VideoCard } from '@/api/types';

export interface WatchedVideo {
  video: VideoCard;
  /** Original title and its language; missing in earlier versions. */
  original?: Title;
  /** RFC 3339. */
  watched_at: string;
  /** Seconds; 0 to start from the beginning. */
  stopped_at: number;
}

export type Title = Pick<VideoCard, 'title' | 'title_lang'>;

export interface History {
  paused: boolean;
  items: WatchedVideo[];
}

export const EMPTY: History = { paused: false, items: [] };
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Whether local storage holds this version's format. */
export const isHistory = (value: unknown): value is History =>
  isRecord(value) &&
  typeof value.paused === 'boolean' &&
  Array.isArray(value.items) &&
  value.items.every(
    (item) =>
      isRecord(item) &&
      isRecord(item.video) &&
      typeof item.video.video_id === 'number' &&
      typeof item.stopped_at === 'number',
  );

/** Converts `1:02:03` to seconds. */
export const secondsOf = (duration: string): number =>
  duration.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** Watched share of a video, from 0 to 1. */
export const shareOf = ({
  video,
  stopped_at,
}: Pick<WatchedVideo, 'video' | 'stopped_at'>): number =>
  Math.min(1, stopped_at / Math.max(1, secondsOf(video.duration)));
