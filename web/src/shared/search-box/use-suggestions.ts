import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hotSearchesQuery, suggestQuery } from '@/api/endpoints';
import { useVisitor } from '@/lib/visitor';
import { lengthOf } from '@/lib/length';
import { MIN_QUERY } from '@/search/listing';
import { startGroups, suggestionGroups, type Group } from './options';
import { recentSearches } from './recent';

const DEBOUNCE_MS = 300;

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(value);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [value]);
  return settled;
}

/** What to suggest for a text. A text asked for before answers at once, a new one when typing rests. */
export function useSuggestions(typed: string, open: boolean): Group[] {
  const visitor = useVisitor();
  const client = useQueryClient();
  const text = typed.trim();
  const settled = useDebounced(text);
  const cached = client.getQueryData(suggestQuery(text, visitor).queryKey) !== undefined;
  const term = cached ? text : settled;
  const typing = lengthOf(text) >= MIN_QUERY;
  const found = useQuery({
    ...suggestQuery(term, visitor),
    enabled: open && typing && lengthOf(term) >= MIN_QUERY,
    placeholderData: keepPreviousData,
  });
  const hot = useQuery({ ...hotSearchesQuery(visitor), enabled: open && !typing });
  if (!open) return [];
  if (typing) return found.data ? suggestionGroups(found.data) : [];
  return startGroups(recentSearches(), hot.data?.suggestions ?? []);
}
