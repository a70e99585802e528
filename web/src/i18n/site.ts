/** Names of the pages about the site, and the few words of its foot: small, because most visits need them. The server reads the same files. */
import { namespace, type Say } from './namespace';
import type en from './site/en.json';

export type SiteTextKey = keyof typeof en.information;
export type SiteText = Say<SiteTextKey>;

export const { useSay: useSiteText } = namespace<SiteTextKey>(
  'site',
  import.meta.glob<object>('./site/*.json', { import: 'information' }),
);
