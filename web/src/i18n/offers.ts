/** Texts for advertisements and offers. A site without advertisements and offers never loads these texts. */
import { namespace } from './namespace';
import type en from '@texts/offers/en.json';

export const { useSay: useOffersText } = namespace<keyof typeof en>(
  'offers',
  import.meta.glob<object>('./offers/*.json', { base: '../../../config/texts', import: 'default' }),
);
