/** Names of the categories and models that are linked to an own video or album. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { get } from '@/api/client';
import { modelPlace } from '@/api/endpoints';
import { lifetimes } from '../../../generated/vocabulary';
import { GENDERS, type Lang } from '@/lib/audience';
import { ApiError } from '@/lib/http';
import { oneOf } from '@/lib/one-of';
import { useVisitor } from '@/lib/visitor';
import type { PickOption, ChosenNames } from './details';
import { allCategories } from './pick-queries';

/** The linked items, by the names that they have in addresses. */
interface LinkedNames {
  gender: string;
  categories: string[];
  models: string[];
}

const modelQuery = (dir: string, lang: Lang) =>
  get('/api/json/model/{lifetime}/{prefix}/{dir}.json', {
    lifetime: lifetimes.DEFAULT,
    ...modelPlace(dir),
    lang,
  });

/** Returns categories and models by their names, or null while loading. */
export function useNames(own: LinkedNames | undefined): ChosenNames | null {
  const { lang, gender } = useVisitor();
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: ['names of', own?.gender, own?.categories, own?.models, lang],
    enabled: own !== undefined,
    // Keep the form while the names for a saved change load.
    placeholderData: keepPreviousData,
    queryFn: async (): Promise<ChosenNames> => {
      const { categories = [], models = [], gender: ownGender } = own ?? {};
      const all = await client.query(
        allCategories(client, oneOf(GENDERS, ownGender, gender), lang),
      );
      const named = async (dir: string): Promise<PickOption> => {
        try {
          return { dir, title: (await client.query(modelQuery(dir, lang))).model.title };
        } catch (error) {
          // An item that is hidden from everyone is still linked.
          if (error instanceof ApiError && error.status < 500) return { dir, title: dir };
          throw error;
        }
      };
      return {
        categories: categories.map(
          (dir) => all.find((one) => one.dir === dir) ?? { dir, title: dir },
        ),
        models: await Promise.all(models.map(named)),
      };
    },
  });
  return data ?? null;
}
