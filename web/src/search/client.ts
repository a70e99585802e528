/** The search client that InstantSearch talks to. It consists of the request half, a fetch, and the response half. */
import type { FacetsAnswer, ModelsAnswer, VideosAnswer } from '@/api/types';
import { isNotFound } from '@/lib/http';
import type { Listing } from './codec';
import {
  toCall,
  toFacetCall,
  toRequest,
  type Facet,
  type SearchContext,
  type SearchRequest,
} from './request';
import { toFacetHits, toResult, type SearchResult } from './response';

/** Fetches a URL of our API. Two calls with the same URL must cause only one request. */
export type Getter = (url: string) => Promise<unknown>;

interface Answer {
  results: SearchResult[];
}

export interface ListingClient {
  search: (requests: SearchRequest[]) => Promise<Answer>;
  searchForFacetValues: (
    requests: { params: { facetName: Facet; facetQuery: string } }[],
  ) => Promise<ReturnType<typeof toFacetHits>[]>;
  /** Returns the result for a listing whose response is cached, because InstantSearch has none before its second render. */
  first: (listing: Listing) => SearchResult | null;
  /** Sets whether the tree is mounted. An unmounted tree reports no failures. */
  setWatched: (watched: boolean) => void;
  /** Prefetches a page (from 1) of the last search, so that it shows immediately when the visitor turns to it. */
  prefetch: (page: number) => void;
}

/** `known` returns the cached response for a URL. */
export function createSearchClient(
  context: SearchContext,
  get: Getter,
  known: (url: string) => unknown = () => undefined,
): ListingClient {
  let latest: Promise<Answer> | undefined;
  const latestFacets = new Map<Facet, Promise<ReturnType<typeof toFacetHits>[]>>();
  let shown: SearchRequest | undefined;
  let watched = true;

  /** The filter options stay while a list can't be loaded. */
  let choices: Pick<SearchResult, 'facets' | 'facets_stats' | 'labels' | 'details'> | undefined;

  /** A failure is returned as a result, because InstantSearch would undo the selection if a search threw. */
  async function ask(requests: SearchRequest[]): Promise<Answer> {
    const [main] = requests;
    if (!main) return { results: [] };
    shown = main;
    const url = toCall(main, context);
    try {
      const answer = url ? ((await get(url)) as VideosAnswer | ModelsAnswer) : null;
      // The further requests ask for counts without one facet's own filter. The API already counts in that way, so one response serves all
      // of
      // them.
      const results = requests.map((request) => toResult(request, answer));
      choices = results[0];
      return { results };
    } catch (error) {
      const results = requests.map((request) => toResult(request, null));
      // The list of something that doesn't exist (a category, a model, a page number) is an empty list.
      if (isNotFound(error) || !watched) return { results };
      const { facets = {}, facets_stats = {}, labels = {}, details = {} } = choices ?? {};
      const rest = { facets, facets_stats, labels, details, failure: error as Error };
      return { results: results.map((result) => ({ ...result, ...rest })) };
    }
  }

  return {
    async search(requests) {
      const mine = ask(requests);
      latest = mine;
      const answer = await mine;
      // If the response became outdated while waiting, it is dropped in favor of the newest one.
      return latest === mine ? answer : latest;
    },
    async searchForFacetValues(requests) {
      const mine = Promise.all(
        requests.map(async ({ params }) => {
          const url = toFacetCall(params.facetName, params.facetQuery, context, shown);
          return toFacetHits(((await get(url)) as FacetsAnswer).facets);
        }),
      );
      const name = requests[0]?.params.facetName ?? 'categories';
      latestFacets.set(name, mine);
      const hits = await mine;
      return latestFacets.get(name) ?? hits;
    },
    first(listing) {
      const request = toRequest(listing);
      const url = toCall(request, context);
      const answer = url === null ? undefined : known(url);
      return answer ? toResult(request, answer as VideosAnswer | ModelsAnswer) : null;
    },
    setWatched(now) {
      watched = now;
    },
    prefetch(page) {
      if (!shown) return;
      const url = toCall({ ...shown, params: { ...shown.params, page: page - 1 } }, context);
      // This is only a head start, because the actual request reports failures.
      if (url) get(url).catch(() => undefined);
    },
  };
}
