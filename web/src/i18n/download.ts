import { namespace } from './namespace';
import type en from './download/en.json';

export const { useSay: useDownloadText } = namespace<keyof typeof en>(
  'download',
  import.meta.glob<object>('./download/*.json', { import: 'default' }),
);
