/** Texts for the actions on videos, people and other objects. */
import { namespace, type Say } from './namespace';
import type en from '@texts/actions/en.json';

export type ActionText = Say<keyof typeof en>;

export const { useSay: useActionText } = namespace<keyof typeof en>(
  'actions',
  import.meta.glob<object>('./actions/*.json', {
    base: '../../../config/texts',
    import: 'default',
  }),
);
