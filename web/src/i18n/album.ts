import { namespace, type Say } from './namespace';
import type en from './album/en.json';

export type AlbumText = Say<keyof typeof en>;

export const { useSay: useAlbumText } = namespace<keyof typeof en>(
  'album',
  import.meta.glob<object>('./album/*.json', { import: 'default' }),
);
