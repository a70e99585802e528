/** The InstantSearch tree around a listing. It uses our client and our router, and there is one tree per list. */
import type { SearchClient, UiState } from 'instantsearch.js';
import { useEffect, useLayoutEffect, useMemo, type ContextType, type ReactNode } from 'react';
import {
  InstantSearch,
  InstantSearchSSRContext,
  useInstantSearchContext,
} from 'react-instantsearch';
import { requiredContext } from '@/lib/context';
import { useVisitor } from '@/lib/visitor';
import { createSearchClient, type ListingClient } from './client';
import type { Listing } from './codec';
import type { SearchContext } from './request';
import {
  MODEL_INDEX,
  VIDEO_INDEX,
  modelsToUi,
  uiToModels,
  uiToVideos,
  videosToUi,
} from './mapping';
import { createListingRouter, treeKey } from './router';
import type { SearchResult } from './response';
import { getList, knownList } from './unmuted';

/** How long, in ms, a response may take before skeletons replace the old list. */
const STALLED_MS = 100;

interface TreeClient extends ListingClient {
  /** The result for the tree's first list until InstantSearch has its own. */
  shownFirst: SearchResult | null;
}

const [ClientContext, useListingClient] = requiredContext<TreeClient>('useListingClient');
export { useListingClient };

/** Makes InstantSearch render a cached list at once, as it does on a server. Otherwise, its first render is empty. */
const AT_ONCE = { initialResults: {} } as ContextType<typeof InstantSearchSSRContext>;

/** With `AT_ONCE`, InstantSearch doesn't search by itself, but the counts are still missing, so this searches once. */
function FirstSearch() {
  const search = useInstantSearchContext();
  useEffect(() => {
    search.refresh();
  }, [search]);
  return null;
}

const toUi = (listing: Listing): UiState =>
  listing.list === 'videos' ? videosToUi(listing.state) : modelsToUi(listing.state);

const fromUi = (base: Listing, ui: UiState): Listing =>
  base.list === 'videos'
    ? { ...base, state: uiToVideos(ui) }
    : { list: 'models', state: uiToModels(ui) };

interface Props {
  listing: Listing;
  children: ReactNode;
}

export function ListingTree({ listing, children }: Props) {
  const { lang, gender, country } = useVisitor();
  const key = [lang, gender, country, treeKey(listing)].join(' ');
  return (
    <Tree key={key} listing={listing} context={{ lang, gender, country }}>
      {children}
    </Tree>
  );
}

interface TreeProps extends Props {
  context: Omit<SearchContext, 'scope'>;
}

function Tree({ listing, context, children }: TreeProps) {
  // This is created once, because the key above creates a new tree whenever any of it would differ.
  const { client, routing, future } = useMemo(() => {
    const scope = listing.list === 'videos' ? listing.scope : ({ kind: 'browse' } as const);
    const searches = createSearchClient({ ...context, scope }, getList, knownList);
    return {
      client: { ...searches, shownFirst: searches.first(listing) },
      routing: {
        router: createListingRouter(listing),
        stateMapping: {
          $$type: 'lantern.listing',
          stateToRoute: (ui: UiState) => fromUi(listing, ui),
          routeToState: toUi,
        },
      },
      future: { preserveSharedStateOnUnmount: true },
    };
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  // This is a layout effect, because its cleanup runs before the cleanup of the widgets below.
  useLayoutEffect(() => {
    routing.router.setOpen(true);
    client.setWatched(true);
    return () => {
      routing.router.setOpen(false);
      client.setWatched(false);
    };
  }, [client, routing]);
  const tree = (
    <InstantSearch
      searchClient={client as unknown as SearchClient}
      indexName={listing.list === 'videos' ? VIDEO_INDEX : MODEL_INDEX}
      routing={routing}
      future={future}
      stalledSearchDelay={STALLED_MS}
      // No events are sent, and no code is loaded for them.
      insights={false}
    >
      <ClientContext value={client}>
        {children}
        {client.shownFirst && <FirstSearch />}
      </ClientContext>
    </InstantSearch>
  );
  if (!client.shownFirst) return tree;
  return <InstantSearchSSRContext value={AT_ONCE}>{tree}</InstantSearchSSRContext>;
}
