import { namespace, type KeyStem } from './namespace';
import type en from '@texts/saved/en.json';

export const { useSay: useSavedText } = namespace<KeyStem<keyof typeof en>>(
  'saved',
  import.meta.glob<object>('./saved/*.json', { base: '../../../config/texts', import: 'default' }),
);
