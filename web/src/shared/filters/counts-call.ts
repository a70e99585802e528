/** The call that counts what each option of a facet would show, whatever the page. This module is pure. */
import { calls } from '../../../generated/vocabulary';
import { addressOf } from '@/api/client';
import type { VideoState } from '@/search/listing';
import { toQuery, toRequest, type SearchContext } from '@/search/request';

/** Returns null if there is nothing to count. */
export function toCountsCall(state: VideoState, context: SearchContext): string | null {
  const { scope } = context;
  const found = toQuery(
    toRequest({ list: 'videos', scope, state: { ...state, page: 1 } }),
    context,
  );
  if (!found) return null;
  return 'search' in found
    ? addressOf('/api/video_counts.php', found.search)
    : addressOf(calls.VIDEO_COUNTS, found.list);
}
