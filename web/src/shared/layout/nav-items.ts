/** Navigation links, which lead only to existing pages. */
import { paths } from '@/shared/address/paths';
import { MODEL_SORTS } from '@/search/listing';

export const VIDEO_LINKS = [
  { key: 'sort.latest-updates', href: paths.videos('latest-updates') },
  { key: 'sort.top-rated', href: paths.videos('top-rated') },
  { key: 'sort.most-popular', href: paths.videos('most-popular') },
  { key: 'sort.longest', href: paths.videos('longest') },
  { key: 'sort.most-commented', href: paths.videos('most-commented') },
  { key: 'nav.uncensored', href: paths.videos('latest-updates', '?type=uncensored') },
] as const;

export const MODEL_LINKS = MODEL_SORTS.map(
  (sort) => ({ key: `sort.${sort}`, href: paths.models(sort) }) as const,
);

export const COMMUNITY_LINKS = [
  { key: 'nav.playlists', href: paths.playlists },
  { key: 'nav.albums', href: paths.albums },
  { key: 'nav.community', href: paths.community },
] as const;

/** Links that have no place of their own in the narrowest desktop headers… */
export const LIST_LINKS = [
  { key: 'nav.categories', href: paths.categories },
  { key: 'nav.models', href: paths.models() },
] as const;

/** …and those that have none in medium headers either. */
export const MORE_LINKS = [
  ...COMMUNITY_LINKS,
  { key: 'nav.topCountry', href: paths.topCountry() },
  { key: 'nav.saved', href: paths.saved },
] as const;

export type NavLink = (
  typeof VIDEO_LINKS | typeof MODEL_LINKS | typeof LIST_LINKS | typeof MORE_LINKS
)[number];
