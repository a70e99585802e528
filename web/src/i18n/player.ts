import { namespace, type Say } from './namespace';
import type en from '@texts/player/en.json';

export type PlayerText = Say<keyof typeof en>;

export const { useSay: usePlayerText } = namespace<keyof typeof en>(
  'player',
  import.meta.glob<object>('./player/*.json', { base: '../../../config/texts', import: 'default' }),
);
