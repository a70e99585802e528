import { namespace, type Say } from './namespace';
import type en from '@texts/upload/en.json';

export type UploadText = Say<keyof typeof en>;

export const { useSay: useUploadText } = namespace<keyof typeof en>(
  'upload',
  import.meta.glob<object>('./upload/*.json', { base: '../../../config/texts', import: 'default' }),
);
