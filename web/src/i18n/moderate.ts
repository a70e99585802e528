import { namespace } from './namespace';
import type en from './moderate/en.json';

export const { useSay: useModerateText } = namespace<keyof typeof en>(
  'moderate',
  import.meta.glob<object>('./moderate/*.json', { import: 'default' }),
);
