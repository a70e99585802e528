import 'i18next';
import type search from './search/en.json';
import type en from './common/en.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en; search: typeof search };
  }
}
