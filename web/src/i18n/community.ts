/** Texts of albums, playlists and members. The server reads the same files. */
import { namespace, type Say } from './namespace';
import type en from './community/en.json';

export type CommunityText = Say<keyof typeof en.community>;

export const { useSay: useCommunityText } = namespace<keyof typeof en.community>(
  'community',
  import.meta.glob<object>('./community/*.json', { import: 'community' }),
);
