/** Texts of albums, playlists and members. The server reads the same files. */
import { namespace, type Say } from './namespace';
import type en from '@texts/community/en.json';

/** A plural is asked for without the ending of its form. */
type KeyStem<Key> = Key extends `${infer Stem}_${'one' | 'other'}` ? Stem : Key;
type Key = KeyStem<keyof typeof en.community>;
export type CommunityText = Say<Key>;

export const { useSay: useCommunityText } = namespace<Key>(
  'community',
  import.meta.glob<object>('./community/*.json', {
    base: '../../../config/texts',
    import: 'community',
  }),
);
