/** Texts for login and account screens. The server takes titles from the same files. */
import { namespace } from './namespace';
import type en from '@texts/account/en.json';

export type AccountTextKey = keyof typeof en.account;

export const { useSay: useAccountText } = namespace<AccountTextKey>(
  'account',
  import.meta.glob<object>('./account/*.json', {
    base: '../../../config/texts',
    import: 'account',
  }),
);
