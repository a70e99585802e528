/** The call of the lists of all categories. */
import { get } from '@/api/client';
import { DEFAULT_S, type Audience } from '@/api/endpoints';

export const categoriesQuery = ({ lang, gender }: Audience) =>
  get('/api/json/categories/{lifetime}/{gender}.{section}.{lang}.json', {
    lifetime: DEFAULT_S,
    gender,
    section: 'all',
    lang,
  });
