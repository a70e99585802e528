/** A video's status. This module is pure. */
import { UPLOAD_STATUS } from '@/api/status';
import type { GoneVideo, Video } from '@/api/types';

export type VideoStatus = 'active' | 'deleted' | 'private';

/** The deleted status takes precedence over private. */
export function videoStatus(video: Pick<GoneVideo, 'status_id' | 'is_private'>): VideoStatus {
  if (video.status_id === UPLOAD_STATUS.deleted) return 'deleted';
  return video.is_private ? 'private' : 'active';
}

/**
 * Whether the response is complete. Viewers without permission get only the status, while those who may watch a private video get all of
 * it.
 */
export const isWhole = (video: Video | GoneVideo): video is Video =>
  videoStatus(video) !== 'deleted' && 'dir' in video;
