/** The information pages' content. The server reads the same files. */
import { namespace } from './namespace';
import type en from '@texts/topics/en.json';

export const { useSay: useTopicText } = namespace<keyof typeof en.topics>(
  'topics',
  import.meta.glob<object>('./topics/*.json', { base: '../../../config/texts', import: 'topics' }),
);
