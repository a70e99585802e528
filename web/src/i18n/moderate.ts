import { namespace } from './namespace';
import type en from '@texts/moderate/en.json';

export const { useSay: useModerateText } = namespace<keyof typeof en>(
  'moderate',
  import.meta.glob<object>('./moderate/*.json', {
    base: '../../../config/texts',
    import: 'default',
  }),
);
