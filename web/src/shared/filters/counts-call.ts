/** The call that counts what each option for type, duration and date would show, whatever the page. This module is pure. */
import type { Path } from '@/api/call';
import { addressOf } from '@/api/client';
import { NAMES, defaultSort, type VideoState } from '@/search/listing';
import { CHOICES, VIDEO_INDEX, sortedIndex } from '@/search/mapping';
import { toQuery, type SearchContext } from '@/search/request';

const COUNTS =
  '/api/json/video_counts/{lifetime}/{gender}/{sort}/{count}/{section}.{object_id}.{page}.{type}.{duration}.{date}.json' satisfies Path;

/** Returns null if there is nothing to count. */
export function toCountsCall(state: VideoState, context: SearchContext): string | null {
  const facetFilters = [...NAMES, ...CHOICES].flatMap((name) =>
    [state[name]].flat().map((value) => `${name}:${value}`),
  );
  const sort = state.sort ?? defaultSort(context.scope);
  const params = { query: state.query, facetFilters };
  const found = toQuery({ indexName: sortedIndex(VIDEO_INDEX, sort), params }, context);
  if (!found) return null;
  return 'search' in found
    ? addressOf('/api/video_counts.php', found.search)
    : addressOf(COUNTS, found.list);
}
