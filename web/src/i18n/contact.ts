import { namespace } from './namespace';
import type en from '@texts/contact/en.json';

export const { useSay: useContactText } = namespace<keyof typeof en>(
  'contact',
  import.meta.glob<object>('./contact/*.json', {
    base: '../../../config/texts',
    import: 'default',
  }),
);
