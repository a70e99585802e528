/** The response half of our search client, which turns an API response into what InstantSearch reads. This module is pure. */
import type { FacetValue, ModelsAnswer, SearchHelp, VideosAnswer } from '@/api/types';
import { PAGE_SIZE } from '../../generated/vocabulary';
import type { SearchRequest } from './request';

/** Values with their counts, with the smallest value first. */
export type Spread = [value: number, total: number][];

export interface SearchResult {
  index: string;
  hits: object[];
  nbHits: number;
  nbPages: number;
  /** Starts at 0, as in InstantSearch. */
  page: number;
  hitsPerPage: number;
  query: string;
  params: string;
  processingTimeMS: number;
  exhaustiveNbHits: boolean;
  facets: Record<string, Record<string, number>>;
  facets_stats: Record<string, { min: number; max: number }>;
  /** The title of every facet value, by facet. InstantSearch knows only the values. */
  labels: Record<string, Record<string, string>>;
  /** What tells a facet value apart from others with its title, by facet. Only models have details. */
  details: Record<string, Record<string, string>>;
  /** The count for each value of a range filter. */
  spreads: Record<string, Spread>;
  help?: SearchHelp;
  /** Why there are no hits. */
  failure?: Error;
}

const base = (request: SearchRequest): SearchResult => ({
  index: request.indexName,
  hits: [],
  nbHits: 0,
  nbPages: 0,
  page: request.params?.page ?? 0,
  hitsPerPage: PAGE_SIZE,
  query: request.params?.query ?? '',
  params: '',
  processingTimeMS: 0,
  exhaustiveNbHits: true,
  facets: {},
  facets_stats: {},
  labels: {},
  details: {},
  spreads: {},
});

const counts = (values: FacetValue[]): Record<string, number> =>
  Object.fromEntries(values.map(({ value, total }) => [value, total]));
const titles = (values: FacetValue[]): Record<string, string> =>
  Object.fromEntries(values.map(({ value, label }) => [value, label]));

export const spreadOf = (values: FacetValue[]): Spread =>
  values.map(({ value, total }) => [Number(value), total]);

type Hit = object & { objectID: string };

/** Returns the same hits for the same response, so that cards don't render again. */
function once<Answer extends object>(make: (answer: Answer) => Hit[]): (answer: Answer) => Hit[] {
  const made = new WeakMap<Answer, Hit[]>();
  return (answer) => {
    const hits = made.get(answer) ?? make(answer);
    made.set(answer, hits);
    return hits;
  };
}

const videoHits = once(({ videos }: VideosAnswer) =>
  videos.map((video) => ({ ...video, objectID: String(video.video_id) })),
);
const modelHits = once(({ models }: ModelsAnswer) =>
  models.map((model) => ({ ...model, objectID: String(model.model_id) })),
);

function fromVideos(answer: VideosAnswer, result: SearchResult): SearchResult {
  const [categories, models] = [answer.categories, answer.models].map((named) =>
    named.map(({ dir, title, total_videos }) => ({
      value: dir,
      label: title,
      total: total_videos,
    })),
  ) as [FacetValue[], FacetValue[]];
  return {
    ...result,
    help: answer,
    hits: videoHits(answer),
    facets: { categories: counts(categories), models: counts(models) },
    labels: { categories: titles(categories), models: titles(models) },
    details: {
      models: Object.fromEntries(
        answer.models.flatMap(({ dir, detail }) => (detail ? [[dir, detail]] : [])),
      ),
    },
  };
}

function fromModels(answer: ModelsAnswer, result: SearchResult): SearchResult {
  const facets = Object.entries(answer.facets);
  const stats = answer.stats;
  return {
    ...result,
    hits: modelHits(answer),
    facets: {
      ...Object.fromEntries(facets.map(([name, values]) => [name, counts(values)])),
      // InstantSearch reads a range's bounds only if the range has an entry, which may be empty.
      ...Object.fromEntries(Object.keys(stats).map((name) => [name, {}])),
    },
    facets_stats: stats,
    labels: Object.fromEntries(facets.map(([name, values]) => [name, titles(values)])),
    spreads: Object.fromEntries(
      facets.filter(([name]) => name in stats).map(([name, values]) => [name, spreadOf(values)]),
    ),
  };
}

/** Converts a response, which is null for a request without a call. */
export function toResult(
  request: SearchRequest,
  answer: VideosAnswer | ModelsAnswer | null,
): SearchResult {
  const result = base(request);
  if (!answer) return result;
  result.nbHits = answer.total_count;
  result.nbPages = answer.pages;
  return 'videos' in answer ? fromVideos(answer, result) : fromModels(answer, result);
}

/** Converts the values found by a facet search. `title` and `detail` are included, because a value alone is only a code. */
export const toFacetHits = (values: FacetValue[]) => ({
  facetHits: values.map(({ value, label, detail, total }) => ({
    value,
    escapedValue: value,
    highlighted: value,
    count: total,
    title: label,
    detail,
  })),
  exhaustiveFacetsCount: true,
  processingTimeMS: 0,
});
