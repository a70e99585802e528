import { namespace } from './namespace';
import type en from './contact/en.json';

export const { useSay: useContactText } = namespace<keyof typeof en>(
  'contact',
  import.meta.glob<object>('./contact/*.json', { import: 'default' }),
);
