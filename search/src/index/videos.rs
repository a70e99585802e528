//! The engine query for every list of videos.

use std::collections::HashMap;

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, SearchClient, Transport};
use lantern_listing::{Section, VideoList};
use meilisearch_sdk::{
    indexes::Index,
    search::{MatchingStrategies, SearchQuery, Selectors},
};
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::{Ref, VideoDoc, cards::VideoCard, deep, in_order};
use crate::index::{ModelRef, Reader};

/// Maximum number of models in the facets. Other models are too rare to be useful choices.
const MAX_MODELS: usize = 50;
const FACETS: [&str; 2] = ["category_dirs", "model_dirs"];

/// An engine query, usually on `videos` or `charts`.
#[derive(Clone)]
pub struct VideoQuery<'a> {
    /// Index to query.
    pub index: IndexName,
    /// Text to search for, or `None` for a listing.
    pub text: Option<&'a str>,
    /// Condition that documents must meet.
    pub filter: Filter,
    /// Sort keys. If empty, hits are sorted by relevance.
    pub sort: &'a [&'a str],
    /// Index of the first hit.
    pub offset: usize,
    /// Maximum number of hits.
    pub limit: usize,
    /// Fields to retrieve.
    pub fields: &'a [&'a str],
    /// Fields to search. If empty, all fields are searched.
    pub search_on: Vec<&'a str>,
    /// Whether every word must match.
    pub strategy: MatchingStrategies,
    /// Fields whose values are counted over the whole result.
    pub counts: &'a [&'a str],
    /// Field of which each value is returned once, or `None` for all hits.
    pub distinct: Option<&'a str>,
    /// Whether to count all hits exactly, which is unnecessary if only the best hits are shown.
    pub exact: bool,
}

impl<'a> VideoQuery<'a> {
    /// Creates a query for all videos that pass the filter. It returns the first page in the index's default order,
    /// with counts.
    #[must_use]
    pub fn new(filter: Filter) -> Self {
        Self {
            index: IndexName::Videos,
            text: None,
            filter,
            sort: &[],
            offset: 0,
            limit: 0,
            fields: VideoDoc::fields(),
            search_on: Vec::new(),
            strategy: MatchingStrategies::ALL,
            counts: &FACETS,
            distinct: None,
            exact: true,
        }
    }

    /// Creates a query for the videos that pass the filter and have every word of the text in one of the fields.
    #[must_use]
    pub fn matching(filter: Filter, text: &'a str, fields: &'a [String]) -> Self {
        let search_on = fields.iter().map(String::as_str).collect();
        Self { text: Some(text), search_on, ..Self::new(filter) }
    }
}

/// A hit reduced to its id.
#[derive(Debug, Deserialize)]
pub struct VideoId {
    /// Id of the video.
    pub id: i64,
}

/// Search results, with the field names of the engine's response.
#[derive(Deserialize)]
pub struct Found<T> {
    /// Hits of the page, best first.
    pub hits: Vec<T>,
    /// Total number of hits.
    #[serde(alias = "totalHits", alias = "estimatedTotalHits")]
    pub total: usize,
    /// Number of hits for each value of each counted field.
    #[serde(rename = "facetDistribution", default = "HashMap::new")]
    pub counts: HashMap<String, HashMap<String, usize>>,
    /// Processing time in milliseconds.
    #[serde(rename = "processingTimeMs")]
    pub took: usize,
}

impl<T> Default for Found<T> {
    /// Returns no results.
    fn default() -> Self {
        Self { hits: Vec::new(), total: 0, counts: HashMap::new(), took: 0 }
    }
}

/// Runs a query. On a Meilisearch server, a page far down a list is entered at its sort key.
pub async fn find<T>(reader: &Reader, query: VideoQuery<'_>) -> ApiResult<Found<T>>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    // A Meilisearch server visits every hit before the page, so skip the query if the page is past the last one.
    let is_far = reader.search.is_remote() && query.offset > deep::MAX_SKIP;
    if is_far {
        let count = execute::<IgnoredAny>(&reader.search, &count_query(&query)).await?;
        if count.total <= query.offset {
            return Ok(Found { hits: Vec::new(), total: count.total, counts: count.counts, took: count.took });
        }
    }
    if is_far && query.text.is_none() {
        let start = deep::start(&reader.ladders, query.index, &query.filter, query.sort, query.offset).await?;
        if start.offset < query.offset {
            return find_from(&reader.search, query, start).await;
        }
    }
    execute(&reader.search, &query).await
}

/// Loads the page from its start, and the total and counts for the whole list.
async fn find_from<T>(search: &SearchClient, query: VideoQuery<'_>, start: deep::Start) -> ApiResult<Found<T>>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let page = VideoQuery { filter: start.filter, offset: start.offset, counts: &[], ..query.clone() };
    let whole = count_query(&query);
    let (page, count) = tokio::try_join!(execute::<T>(search, &page), execute::<IgnoredAny>(search, &whole))?;
    Ok(Found { total: count.total, counts: count.counts, took: page.took + count.took, ..page })
}

/// Returns the same query for the total and counts only.
fn count_query<'a>(query: &VideoQuery<'a>) -> VideoQuery<'a> {
    VideoQuery { offset: 0, limit: 0, fields: &[], sort: &[], exact: true, ..query.clone() }
}

pub(super) async fn execute<T>(search: &SearchClient, query: &VideoQuery<'_>) -> ApiResult<Found<T>>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let index = search.index(query.index.uid());
    let filter = query.filter.to_expression();
    match search.search(query.index.uid(), &request(&index, query, filter.as_ref())).await {
        Err(error) if is_unknown_field(&error) => Ok(Found::default()),
        outcome => Ok(outcome?),
    }
}

/// Returns hits with score details for each ranking rule.
pub async fn detailed<T>(search: &SearchClient, query: &VideoQuery<'_>) -> ApiResult<Vec<(T, Map<String, Value>)>>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let index = search.index(query.index.uid());
    let filter = query.filter.to_expression();
    let mut request = request(&index, query, filter.as_ref());
    match request.with_show_ranking_score_details(true).execute::<T>().await {
        Err(error) if is_unknown_field(&error) => Ok(Vec::new()),
        outcome => {
            let hits = outcome?.hits.into_iter();
            Ok(hits.map(|hit| (hit.result, hit.ranking_score_details.unwrap_or_default())).collect())
        }
    }
}

pub(super) fn request<'a>(
    index: &'a Index<Transport>,
    query: &'a VideoQuery<'_>,
    filter: Option<&'a String>,
) -> SearchQuery<'a, Transport> {
    let mut request = SearchQuery::new(index);
    request.with_attributes_to_retrieve(Selectors::Some(query.fields));
    if let Some(filter) = filter {
        request.with_filter(filter);
    }
    if !query.sort.is_empty() {
        request.with_sort(query.sort);
    }
    if !query.counts.is_empty() {
        request.with_facets(Selectors::Some(query.counts));
    }
    if let Some(text) = query.text {
        request.with_query(text).with_matching_strategy(query.strategy.clone());
    }
    if let Some(distinct) = query.distinct {
        request.with_distinct(distinct);
    }
    // If there is a query text, the engine counts exactly only when pages are numbered.
    if query.text.is_some() && query.exact {
        let page = query.offset / query.limit.max(1) + 1;
        request.with_hits_per_page(query.limit).with_page(page);
    } else {
        request.with_offset(query.offset).with_limit(query.limit);
    }
    if !query.search_on.is_empty() {
        request.with_attributes_to_search_on(&query.search_on);
    }
    request.build()
}

/// Whether the engine reports that a field to search is unknown, as is the case for an index without documents.
#[must_use]
pub(super) fn is_unknown_field(error: &meilisearch_sdk::errors::Error) -> bool {
    match error {
        meilisearch_sdk::errors::Error::Meilisearch(error) => {
            error.error_link.ends_with("#invalid_search_attributes_to_search_on")
        }
        _ => false,
    }
}

/// Returns the videos with these ids, in the same order. Missing videos are skipped.
pub async fn videos_by_id(search: &SearchClient, ids: &[i64]) -> ApiResult<Vec<VideoDoc>> {
    in_order(search, IndexName::Videos, VideoDoc::fields(), ids, |video: &VideoDoc| video.id).await
}

/// Puts titles in the visitor's language first among adjacent videos with the same key.
pub fn prefer_language<K: PartialEq>(videos: &mut [VideoDoc], lang: Lang, key: impl Fn(&VideoDoc) -> K) {
    for equals in videos.chunk_by_mut(|a, b| key(a) == key(b)) {
        equals.sort_by_key(|video| video.shown_title(lang).lang != lang);
    }
}

/// A facet value and its number of videos in the whole result.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Counted)]
pub struct ValueCount {
    /// The value and its title.
    #[serde(flatten)]
    pub of: Ref,
    /// What tells a model apart from others of this name in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Japan, 27", nullable = false)]
    pub detail: Option<String>,
    /// Number of videos.
    #[schema(example = 42, minimum = 0)]
    pub total_videos: usize,
}

/// What is shown for a search without hits, so that the page can have a matching heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fallback {
    /// Nothing.
    Nothing,
    /// The most watched videos.
    Popular,
    /// Hits of the same query without some filters.
    Unfiltered,
    /// Hits of these other queries.
    Other(Vec<String>),
}

/// Videos that match all words of a search but one.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PartialMatches {
    /// The best videos.
    pub videos: Vec<VideoCard>,
    /// The words that they match: each choice with videos.
    pub shown_for: Vec<String>,
}

/// Response of every list of videos.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct VideosAnswer {
    /// Videos of the results page.
    pub videos: Vec<VideoCard>,
    /// Exact number of results.
    #[schema(example = 1, minimum = 0)]
    pub total_count: usize,
    /// Number of pages.
    #[schema(example = 1, minimum = 0)]
    pub pages: usize,
    /// Counts over the whole result, highest first.
    pub categories: Vec<ValueCount>,
    /// Counts of the most frequent models over the whole result, highest first.
    pub models: Vec<ValueCount>,
    /// Id of the playlist listed.
    #[serde(skip)]
    pub playlist: Option<i64>,
    /// What a search without hits shows instead.
    #[serde(skip)]
    pub fallback: Option<Fallback>,
    /// Videos that match fewer words, to show below few results; first page of searches only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub partial: Option<PartialMatches>,
    /// Code of the message to show if the page is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<&'static str>,
}

/// Builds the response: cards, total, and counts with titles.
pub async fn answer(reader: &Reader, found: Found<VideoDoc>, list: &VideoList, lang: Lang) -> ApiResult<VideosAnswer> {
    let Found { hits: videos, total, counts, .. } = found;
    let names = reader.categories.current().await?;
    let title = |dir: String| Ref { title: names.title(&dir, lang).to_owned(), dir };
    let categories = most_first(counts.get("category_dirs"), usize::MAX);
    let mut models = most_first(counts.get("model_dirs"), MAX_MODELS);
    // Filters in use need a title even if no video of the list has their value.
    let unseen = list.names.models.iter().filter(|_| total == 0).chain(&list.names.not_models);
    models.extend(unseen.map(|dir| (dir.clone(), 0)));
    Ok(VideosAnswer {
        playlist: None,
        fallback: None,
        partial: None,
        code: videos.is_empty().then_some(match list.section {
            Section::Channel(_) => "channels_not_found",
            _ => "videos_not_found",
        }),
        videos: videos.into_iter().map(|video| VideoCard::new(video, &names, lang)).collect(),
        total_count: total,
        pages: total.div_ceil(list.count as usize),
        categories: categories
            .into_iter()
            .map(|(dir, total_videos)| ValueCount { of: title(dir), detail: None, total_videos })
            .collect(),
        models: with_names(reader, models, lang).await?,
    })
}

/// Returns at most `most` values with their counts, highest count first.
pub fn most_first(counts: Option<&HashMap<String, usize>>, most: usize) -> Vec<(String, usize)> {
    let mut counts: Vec<(&String, usize)> =
        counts.into_iter().flatten().map(|(value, total)| (value, *total)).collect();
    let order = |(a, n): &(&String, usize), (b, m): &(&String, usize)| m.cmp(n).then_with(|| a.cmp(b));
    if counts.len() > most {
        counts.select_nth_unstable_by(most, order);
        counts.truncate(most);
    }
    counts.sort_unstable_by(order);
    counts.into_iter().map(|(value, total)| (value.clone(), total)).collect()
}

/// Adds names in `lang` to counts of models.
pub async fn with_names(reader: &Reader, counts: Vec<(String, usize)>, lang: Lang) -> ApiResult<Vec<ValueCount>> {
    let (dirs, totals): (Vec<String>, Vec<usize>) = counts.into_iter().unzip();
    let named = reader.model_names.of(&dirs, lang, reader.now()).await?.into_iter().zip(totals);
    Ok(named.map(|(ModelRef { of, detail }, total_videos)| ValueCount { of, detail, total_videos }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visitors_language_comes_first_among_equals() {
        let video = |id, viewed, lang: &str| VideoDoc { id, viewed, lang: lang.to_owned(), ..VideoDoc::default() };
        let mut videos =
            [video(1, 9, "it"), video(2, 5, "ja"), video(3, 5, "de"), video(4, 5, "de"), video(5, 1, "de")];
        prefer_language(&mut videos, Lang::De, |video| video.viewed);
        assert_eq!(videos.map(|video| video.id), [1, 3, 4, 2, 5]);
    }

    #[test]
    fn most_first_sorts_by_count_then_name() {
        let counts: HashMap<String, usize> = [("d", 1), ("b", 7), ("c", 3), ("a", 3)]
            .into_iter()
            .map(|(value, total)| (value.to_owned(), total))
            .collect();
        let first = |most| {
            let found = most_first(Some(&counts), most).into_iter();
            found.map(|(value, total)| format!("{value}{total}")).collect::<Vec<_>>()
        };
        assert_eq!(first(usize::MAX), ["b7", "a3", "c3", "d1"]);
        assert_eq!(first(2), ["b7", "a3"], "cut within a tie");
        assert_eq!((first(0).len(), most_first(None, 2).len()), (0, 0));
    }
}
