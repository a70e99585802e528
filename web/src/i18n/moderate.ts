import { namespace, type Say } from './namespace';
import type en from './moderate/en.json';

export type ModerateText = Say<keyof typeof en>;

export const { useSay: useModerateText } = namespace<keyof typeof en>(
  'moderate',
  import.meta.glob<object>('./moderate/*.json', { import: 'default' }),
);
