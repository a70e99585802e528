import { namespace, type KeyStem } from './namespace';
import type en from '@texts/album/en.json';

export const { useSay: useAlbumText } = namespace<KeyStem<keyof typeof en>>(
  'album',
  import.meta.glob<object>('./album/*.json', { base: '../../../config/texts', import: 'default' }),
);
