/** Texts of the search's help. */
import { namespace, type Say } from './namespace';
import type en from './search/en.json';

export type SearchTextKey = keyof typeof en;
export type SearchText = Say<SearchTextKey>;

export const { useSay: useSearchText } = namespace<SearchTextKey>(
  'search',
  import.meta.glob<object>('./search/*.json', { import: 'default' }),
);
