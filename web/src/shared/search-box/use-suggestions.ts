import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hotSearchesQuery, suggestQuery } from '@/api/endpoints';
import type { Suggestions } from '@/api/types';
import { useVisitor } from '@/lib/visitor';
import { useMutes } from '@/shared/mutes/mutes';
import type { Mutes } from '@/shared/mutes/rules';
import { lengthOf } from '@/lib/length';
import { minQuery } from '@/search/listing';
import { startGroups, suggestionGroups, type Group } from './options';
import { useRecentSearches } from './recent';

const DEBOUNCE_MS = 300;

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Removes the categories and models that the viewer has muted. */
const unmuted = (found: Suggestions, { categories, models }: Mutes): Suggestions => {
  const muted = { category: categories, model: models, query: [] };
  const suggestions = found.suggestions.filter(
    ({ type, dir }) => !muted[type].some((one) => one.dir === dir),
  );
  return { ...found, suggestions };
};

/** Returns suggestions for a text. A cached text is answered at once, and a new one when typing pauses. */
export function useSuggestions(typed: string, open: boolean): Group[] {
  const visitor = useVisitor();
  const client = useQueryClient();
  const recent = useRecentSearches();
  const mutes = useMutes();
  const text = typed.trim();
  const settled = useDebounced(text);
  const cached = client.getQueryData(suggestQuery(text, visitor).queryKey) !== undefined;
  const term = cached ? text : settled;
  const isTyping = (typed: string) => lengthOf(typed) >= minQuery(typed);
  const typing = isTyping(text);
  const found = useQuery({
    ...suggestQuery(term, visitor),
    enabled: open && typing && isTyping(term),
    placeholderData: keepPreviousData,
  });
  const hot = useQuery({ ...hotSearchesQuery(visitor), enabled: open && !typing });
  if (!open) return [];
  if (typing) return found.data ? suggestionGroups(unmuted(found.data, mutes)) : [];
  return startGroups(recent, hot.data?.suggestions ?? []);
}
