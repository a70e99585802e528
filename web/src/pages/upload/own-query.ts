/** Requests a member's own video for its form. */
import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '@/api/call';
import { get } from '@/api/client';

export type Own = Answer<'/api/video_edit.php'>;

export const ownQuery = (video_id: number) =>
  queryOptions({
    ...get('/api/video_edit.php', { video_id }),
    staleTime: 0,
    // A form must start from current data.
    gcTime: 0,
  });
