/** Status of a video. Pure. */
import type { GoneVideo, Video } from '@/api/types';

export type VideoStatus = 'active' | 'deleted' | 'private';

const DELETED = 5;

/** Deleted takes precedence over private. */
export function videoStatus(video: Pick<GoneVideo, 'status_id' | 'is_private'>): VideoStatus {
  if (video.status_id === DELETED) return 'deleted';
  return video.is_private ? 'private' : 'active';
}

/** Without permission to watch, only the status is sent; a private video is complete for those who may watch it. */
export const isWhole = (video: Video | GoneVideo): video is Video =>
  videoStatus(video) !== 'deleted' && 'dir' in video;
