/** What a video may be besides playable. Pure. */
import type { GoneVideo, Video } from '@/api/types';

export type VideoStatus = 'active' | 'deleted' | 'private';

const DELETED = 5;

/** Deleted wins over private. */
export function videoStatus(video: Pick<GoneVideo, 'status_id' | 'is_private'>): VideoStatus {
  if (video.status_id === DELETED) return 'deleted';
  return video.is_private ? 'private' : 'active';
}

/** A viewer who may not watch a video gets little more than its status; a private one is whole for those who may. */
export const isWhole = (video: Video | GoneVideo): video is Video =>
  videoStatus(video) !== 'deleted' && 'dir' in video;
