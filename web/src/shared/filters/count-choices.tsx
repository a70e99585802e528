/** Requests the counts for filter options after the list, so as not to delay the list. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Schema } from '@/api/call';
import { getJson } from '@/lib/http';
import { useVisitor } from '@/lib/visitor';
import { useVideoListing } from '@/search/video-listing';
import { choiceCounts } from './choice-counts';
import { toCountsCall } from './counts-call';

type Counts = Schema<'ChoicesAnswer'>;

export default function CountChoices() {
  const { lang, gender, country } = useVisitor();
  const { scope, state, results } = useVideoListing();
  const url = toCountsCall(state, { scope, lang, gender, country });
  const { data } = useQuery({
    queryKey: [url ?? ''],
    queryFn: ({ queryKey: [address = ''], signal }) => getJson<Counts>(address, signal),
    enabled: url !== null && results.hits !== null && !results.busy,
    // Keep the previous counts until the new ones arrive.
    placeholderData: keepPreviousData,
  });
  // If a search dropped words or matched descriptions, the counts don't apply to what is shown.
  const isRelaxed = (results.help?.relaxed ?? []).length > 0;
  const isOther = data?.date.every(({ total }) => total === 0) && (results.hits?.length ?? 0) > 0;
  const shown = isRelaxed || isOther ? null : (data ?? null);
  useEffect(() => {
    choiceCounts.write(shown);
  }, [shown]);
  useEffect(() => () => choiceCounts.write(null), []);
  return null;
}
