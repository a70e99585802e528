/** Texts for albums, playlists and members. The server reads the same files. */
import { namespace, type KeyStem, type Say } from './namespace';
import type en from '@texts/community/en.json';

type Key = KeyStem<keyof typeof en.community>;
export type CommunityText = Say<Key>;

export const { useSay: useCommunityText } = namespace<Key>(
  'community',
  import.meta.glob<object>('./community/*.json', {
    base: '../../../config/texts',
    import: 'community',
  }),
);
