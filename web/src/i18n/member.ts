import { namespace } from './namespace';
import type en from '@texts/member/en.json';

export const { useSay: useMemberText } = namespace<keyof typeof en>(
  'member',
  import.meta.glob<object>('./member/*.json', { base: '../../../config/texts', import: 'default' }),
);
