import { get } from '@/api/client';
import type { Audience } from '@/api/endpoints';
import { DEFAULT } from '@/api/lifetimes';

export const categoriesQuery = ({ lang, gender }: Audience) =>
  get('/api/json/categories/{lifetime}/{gender}.{section}.{lang}.json', {
    lifetime: DEFAULT,
    gender,
    section: 'all',
    lang,
  });
