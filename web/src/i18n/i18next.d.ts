import 'i18next';
import type search from '@/features/search-extras/texts/en.json';
import type en from './locales/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en; search: typeof search };
  }
}
