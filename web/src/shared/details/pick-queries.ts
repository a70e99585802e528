/** Requests categories and models to choose from. */
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { fetchAnswer } from '@/api/client';
import type { Path } from '@/api/call';
import { GENDERS, type Gender, type Lang } from '@/lib/audience';
import { useVisitor } from '@/lib/visitor';
import { categoriesQuery } from '@/shared/queries/categories';
import type { PickOption } from './details';
import { fitting } from './fitting';

const SUGGESTER = '/api/suggester.php' satisfies Path;
/** The maximum number of options shown. Typing more narrows them down. */
const SHOWN = 20;
/** More suggestions are requested than options are shown, because the response also contains other kinds. */
const ASKED = 60;
const TYPING_MS = 300;

/**
 * Requests all categories. Each list has one orientation, but categories that only other orientations use may be chosen, too. They come
 * last.
 */
export const allCategories = (client: QueryClient, gender: Gender, lang: Lang) =>
  queryOptions({
    queryKey: ['categories to choose from', gender, lang],
    queryFn: async (): Promise<PickOption[]> => {
      const genders = [gender, ...GENDERS.filter((other) => other !== gender)];
      const lists = await Promise.all(
        genders.map((one) => client.query(categoriesQuery({ gender: one, lang }))),
      );
      const named = lists.flatMap(({ categories }) => categories);
      return [...new Map(named.map(({ dir, title }) => [dir, { dir, title }])).values()];
    },
  });

/** Returns the categories that match a text, or the most used ones if the text is empty. Returns null while loading. */
export function useCategories(text: string, gender: Gender): PickOption[] | null {
  const { lang } = useVisitor();
  const { data } = useQuery(allCategories(useQueryClient(), gender, lang));
  return data ? fitting(data, text).slice(0, SHOWN) : null;
}

const modelsQuery = (text: string, lang: Lang) =>
  queryOptions({
    queryKey: ['models to choose from', text, lang],
    queryFn: async ({ signal }): Promise<PickOption[]> => {
      // This debounces typing: further typing aborts the signal.
      await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
      signal.throwIfAborted();
      const { suggestions } = await fetchAnswer(SUGGESTER, { c: text, lang, count: ASKED }, signal);
      return suggestions.flatMap(({ type, dir, title, detail }) =>
        type === 'model' && dir ? [{ dir, title, detail }] : [],
      );
    },
  });

/** Returns the models that match a text, or null while loading. */
export function useModels(typed: string): PickOption[] | null {
  const { lang } = useVisitor();
  const text = typed.trim();
  const { data } = useQuery({ ...modelsQuery(text, lang), enabled: text !== '' });
  if (text === '') return [];
  return data?.slice(0, SHOWN) ?? null;
}
