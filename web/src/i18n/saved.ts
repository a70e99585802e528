import { namespace } from './namespace';
import type en from './saved/en.json';

export const { useSay: useSavedText } = namespace<keyof typeof en>(
  'saved',
  import.meta.glob<object>('./saved/*.json', { import: 'default' }),
);
