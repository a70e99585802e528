/** The format of a guest's history in local storage, which contains all that cards need. This module is pure. */
import type { VideoCard } from '@/api/types';

export interface WatchedVideo {
  video: VideoCard;
  /** The original title and its language. It is missing in entries from earlier versions. */
  original?: Title;
  /** The time in RFC 3339 format. */
  watched_at: string;
  /** The position in seconds. 0 means to start from the beginning. */
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

/** Whether local storage contains this version's format. */
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

/** Converts a duration such as `1:02:03` to seconds. */
export const secondsOf = (duration: string): number =>
  duration.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** Returns the watched share of a video, from 0 to 1. */
export const shareOf = ({
  video,
  stopped_at,
}: Pick<WatchedVideo, 'video' | 'stopped_at'>): number =>
  Math.min(1, stopped_at / Math.max(1, secondsOf(video.duration)));
