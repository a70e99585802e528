/** Texts of letters and reports. */
import { namespace, type Say } from './namespace';
import type en from './contact/en.json';

export type ContactTextKey = keyof typeof en;
export type ContactText = Say<ContactTextKey>;

export const { useSay: useContactText } = namespace<ContactTextKey>(
  'contact',
  import.meta.glob<object>('./contact/*.json', { import: 'default' }),
);
