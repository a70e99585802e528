/**
 * Names of the information pages, and the footer's texts. The file is small, because most visits need it. The server reads the same
 * files.
 */
import { namespace } from './namespace';
import type en from '@texts/site/en.json';

export const { useSay: useSiteText } = namespace<keyof typeof en.information>(
  'site',
  import.meta.glob<object>('./site/*.json', {
    base: '../../../config/texts',
    import: 'information',
  }),
);
