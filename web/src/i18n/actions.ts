/** Texts of what a visitor does with things. */
import { namespace, type Say } from './namespace';
import type en from './actions/en.json';

export type ActionTextKey = keyof typeof en;
export type ActionText = Say<ActionTextKey>;

export const { useSay: useActionText } = namespace<ActionTextKey>(
  'actions',
  import.meta.glob<object>('./actions/*.json', { import: 'default' }),
);
