import { navigate } from 'wouter/use-browser-location';
import { paths } from '@/shared/address/paths';
import { CountryPicker } from '@/shared/country/country-picker';
import { useT } from '@/i18n';
import { deferred } from '@/lib/deferred';
import { countryName } from '@/lib/format';
import { useListName } from '@/lib/list-name';
import { heading, usePageTitle } from '@/lib/title';
import { useVisitor } from '@/lib/visitor';
import type { Listing } from '@/search/codec';
import { SEARCH_SORTS, VIDEO_SORTS } from '@/search/listing';
import { ListingTree } from '@/search/listing-tree';
import { VideoListingProvider, useVideoListing } from '@/search/video-listing';
import { VideoList } from '@/shared/lists/video-results';

export default function ListingScreen({
  listing,
}: {
  listing: Extract<Listing, { list: 'videos' }>;
}) {
  return (
    <ListingTree listing={listing}>
      <VideoListingProvider scope={listing.scope}>
        <Videos />
      </VideoListingProvider>
    </ListingTree>
  );
}

/** Returns the list's name, and the sort order unless the name implies it. */
function useNames(): [string, string | false] {
  const t = useT();
  const { lang, country } = useVisitor();
  const { scope, state, sort, titleOf, found, results } = useVideoListing();
  const isFound = found !== 0 || results.busy;
  switch (scope.kind) {
    case 'search':
      return [
        state.query.trim()
          ? t(isFound ? 'search.heading' : 'search.none', { query: state.query })
          : t('search.label'),
        false,
      ];
    case 'country':
      return [`${t('nav.topCountry')}: ${countryName(scope.country ?? country, lang)}`, false];
    case 'model':
      return [t('nav.videos'), false];
    case 'browse':
      return state.categories.length > 0
        ? [
            state.categories.map((dir) => titleOf('categories', dir)).join(' + '),
            state.sort !== null && t(`sort.${sort}`),
          ]
        : [t(`sort.${sort}`), false];
  }
}

const SORTS = { browse: VIDEO_SORTS, search: SEARCH_SORTS, model: VIDEO_SORTS, country: undefined };

function Videos() {
  const { scope, state } = useVideoListing();
  const name = useListName(...useNames());
  usePageTitle(name, state.page);
  return <VideoList heading={<Heading text={name} />} sorts={SORTS[scope.kind]} />;
}

/** The button's text loads later, but the button's space is reserved. */
const MuteToggle = deferred(
  () => import('@/shared/mutes/mute-toggle'),
  <div className="h-11 w-32" />,
);

function Heading({ text }: { text: string }) {
  const t = useT();
  const { country, setCountry } = useVisitor();
  const { scope, state, titleOf } = useVideoListing();
  const chart = useListName(t('nav.topCountry'));
  const [category, other] = state.categories;
  if (scope.kind === 'browse' && category && !other) {
    return (
      <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1">
        <h1 className={heading}>{text}</h1>
        <MuteToggle
          what={{ kind: 'categories', dir: category, title: titleOf('categories', category) }}
        />
      </div>
    );
  }
  if (scope.kind !== 'country') return <h1 className={heading}>{text}</h1>;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-1">
      <h1 className={heading}>{chart}</h1>
      <CountryPicker
        country={scope.country ?? country}
        onChoose={(code) => {
          setCountry(code);
          navigate(paths.topCountry(code));
        }}
      />
    </div>
  );
}
