import { namespace } from './namespace';
import type en from '@texts/search/en.json';

export const { useSay: useSearchText } = namespace<keyof typeof en>(
  'search',
  import.meta.glob<object>('./search/*.json', { base: '../../../config/texts', import: 'default' }),
);
