import { namespace } from './namespace';
import type en from './search/en.json';

export const { useSay: useSearchText } = namespace<keyof typeof en>(
  'search',
  import.meta.glob<object>('./search/*.json', { import: 'default' }),
);
