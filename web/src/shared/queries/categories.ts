/** The call of the lists of all categories. */
import { DEFAULT_S, get, type Audience } from '@/api/endpoints';

export const categoriesQuery = ({ lang, gender }: Audience) =>
  get<'/api/json/categories/{lifetime}/{gender}.{section}.{lang}.json'>(
    `/api/json/categories/${String(DEFAULT_S)}/${gender}.all.${lang}.json`,
  );
