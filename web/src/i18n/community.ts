/** Texts of albums, playlists and members. The server reads the same files. */
import { namespace, type Say } from './namespace';
import type en from './community/en.json';

export type CommunityTextKey = keyof typeof en.community;
export type CommunityText = Say<CommunityTextKey>;

export const { useSay: useCommunityText } = namespace<CommunityTextKey>(
  'community',
  import.meta.glob<object>('./community/*.json', { import: 'community' }),
);
