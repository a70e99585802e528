import { namespace } from './namespace';
import type en from '@texts/download/en.json';

export const { useSay: useDownloadText } = namespace<keyof typeof en>(
  'download',
  import.meta.glob<object>('./download/*.json', {
    base: '../../../config/texts',
    import: 'default',
  }),
);
