import { get } from '@/api/client';
import type { Audience } from '@/api/endpoints';
import { lifetimes } from '../../../generated/vocabulary';

export const categoriesQuery = ({ lang, gender }: Audience) =>
  get('/api/json/categories/{lifetime}/{gender}.{section}.{lang}.json', {
    lifetime: lifetimes.DEFAULT,
    gender,
    section: 'all',
    lang,
  });
