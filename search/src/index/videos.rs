//! One kind of query answers every list of videos.

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
use crate::index::{CategoryNames, ModelNames, Reader};

/// How many models of a result are counted by name; the rest are too rare to choose from.
const MOST_MODELS: usize = 50;
const FACETS: [&str; 2] = ["category_dirs", "model_dirs"];

/// A query of `videos` or `charts`.
#[derive(Clone)]
pub struct VideoQuery<'a> {
    pub index: IndexName,
    pub text: Option<&'a str>,
    pub filter: Filter,
    /// Order; relevance when empty.
    pub sort: &'a [&'a str],
    pub offset: usize,
    pub limit: usize,
    pub fields: &'a [&'a str],
    /// Fields to look for the words in; all when empty.
    pub search_on: &'a [&'a str],
    /// Whether every word must match.
    pub strategy: MatchingStrategies,
    /// Fields whose values are counted over the whole result.
    pub counts: &'a [&'a str],
    /// Whether a search counts every hit; where only the best are shown it needn't.
    pub exact: bool,
}

impl<'a> VideoQuery<'a> {
    /// All videos the filter lets through, in the index' own order, first page, counted.
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
            search_on: &[],
            strategy: MatchingStrategies::ALL,
            counts: &FACETS,
            exact: true,
        }
    }
}

/// A hit of which only the id is wanted.
#[derive(Debug, Deserialize)]
pub struct VideoId {
    pub id: i64,
}

/// What a search finds, as the engine's answer names it.
#[derive(Deserialize)]
pub struct Found<T> {
    pub hits: Vec<T>,
    /// Exact number of all hits.
    #[serde(alias = "totalHits", alias = "estimatedTotalHits")]
    pub total: usize,
    /// Number of hits by value, per counted field.
    #[serde(rename = "facetDistribution", default = "HashMap::new")]
    pub counts: HashMap<String, HashMap<String, usize>>,
    /// Milliseconds the engine took.
    #[serde(rename = "processingTimeMs")]
    pub took: usize,
}

impl<T> Default for Found<T> {
    /// Nothing.
    fn default() -> Self {
        Self { hits: Vec::new(), total: 0, counts: HashMap::new(), took: 0 }
    }
}

pub async fn find<T>(reader: &Reader, query: VideoQuery<'_>) -> ApiResult<Found<T>>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    // A server visits every hit before the page, all of them for a page past the last, unless the query says where the page starts.
    let is_far = reader.search.is_remote() && query.offset > deep::NEAR;
    if is_far {
        let whole = ask::<IgnoredAny>(&reader.search, &whole(&query)).await?;
        if whole.total <= query.offset {
            return Ok(Found { hits: Vec::new(), total: whole.total, counts: whole.counts, took: whole.took });
        }
    }
    if is_far && query.text.is_none() {
        let start = deep::start(&reader.ladders, query.index, &query.filter, query.sort, query.offset).await?;
        if start.offset < query.offset {
            return entered(&reader.search, query, start).await;
        }
    }
    ask(&reader.search, &query).await
}

/// The page from where it begins, totals and counts from the whole list.
async fn entered<T>(search: &SearchClient, query: VideoQuery<'_>, start: deep::Start) -> ApiResult<Found<T>>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let page = VideoQuery { filter: start.filter, offset: start.offset, counts: &[], ..query.clone() };
    let whole = whole(&query);
    let (page, whole) = tokio::try_join!(ask::<T>(search, &page), ask::<IgnoredAny>(search, &whole))?;
    Ok(Found { total: whole.total, counts: whole.counts, took: page.took + whole.took, ..page })
}

/// The same query for its total and counts alone.
fn whole<'a>(query: &VideoQuery<'a>) -> VideoQuery<'a> {
    VideoQuery { offset: 0, limit: 0, fields: &[], sort: &[], exact: true, ..query.clone() }
}

pub(super) async fn ask<T>(search: &SearchClient, query: &VideoQuery<'_>) -> ApiResult<Found<T>>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let index = search.index(query.index.uid());
    let filter = query.filter.to_expression();
    match search.search(query.index.uid(), &request(&index, query, filter.as_ref())).await {
        Err(error) if has_no_such_field(&error) => Ok(Found::default()),
        outcome => Ok(outcome?),
    }
}

/// Hits with what each ranking rule says of them.
pub async fn detailed<T>(search: &SearchClient, query: &VideoQuery<'_>) -> ApiResult<Vec<(T, Map<String, Value>)>>
where
    T: DeserializeOwned + Send + Sync + 'static,
{
    let index = search.index(query.index.uid());
    let filter = query.filter.to_expression();
    let mut request = request(&index, query, filter.as_ref());
    match request.with_show_ranking_score_details(true).execute::<T>().await {
        Err(error) if has_no_such_field(&error) => Ok(Vec::new()),
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
    // With words, only an exhaustive count is exact; it is asked for by asking for pages.
    if query.text.is_some() && query.exact {
        let page = query.offset / query.limit.max(1) + 1;
        request.with_hits_per_page(query.limit).with_page(page);
    } else {
        request.with_offset(query.offset).with_limit(query.limit);
    }
    if !query.search_on.is_empty() {
        request.with_attributes_to_search_on(query.search_on);
    }
    request.build()
}

/// Whether the engine refused because no document has one of the fields to search: it has no document at all.
#[must_use]
pub(super) fn has_no_such_field(error: &meilisearch_sdk::errors::Error) -> bool {
    match error {
        meilisearch_sdk::errors::Error::Meilisearch(error) => {
            error.error_link.ends_with("#invalid_search_attributes_to_search_on")
        }
        _ => false,
    }
}

/// The videos with these ids, in the order of the ids; those that are gone are left out.
pub async fn videos_by_id(search: &SearchClient, ids: &[i64]) -> ApiResult<Vec<VideoDoc>> {
    in_order(search, IndexName::Videos, VideoDoc::fields(), ids, |video: &VideoDoc| video.id).await
}

/// A value of a facet and how many videos of the whole result have it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Counted)]
pub struct ValueCount {
    /// The value and its title.
    #[serde(flatten)]
    pub of: Ref,
    /// Number of videos.
    #[schema(example = 42, minimum = 0)]
    pub total_videos: usize,
}

/// What a search that found nothing shows, for pages to head it as what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fallback {
    Nothing,
    /// What is watched most.
    Popular,
    /// What the same words find without all filters.
    Unfiltered,
    /// What these other words find.
    Other(Vec<String>),
}

/// The answer of every list of videos.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct VideosAnswer {
    /// The page.
    pub videos: Vec<VideoCard>,
    /// Exact number of all.
    #[schema(example = 1, minimum = 0)]
    pub total_count: usize,
    /// Number of pages.
    #[schema(example = 1, minimum = 0)]
    pub pages: usize,
    /// Counts over the whole result, most first.
    pub categories: Vec<ValueCount>,
    /// Counts over the whole result, most first, the commonest only.
    pub models: Vec<ValueCount>,
    /// The playlist whose videos they are.
    #[serde(skip)]
    pub playlist: Option<i64>,
    /// What stands there instead, where a search found nothing.
    #[serde(skip)]
    pub fallback: Option<Fallback>,
    /// What to say when there are none on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<&'static str>,
}

/// Cards, totals and counts with their titles.
pub async fn answer(
    categories: &CategoryNames,
    model_names: &ModelNames,
    videos: Vec<VideoDoc>,
    total: usize,
    counts: &HashMap<String, HashMap<String, usize>>,
    list: &VideoList,
    lang: Lang,
) -> ApiResult<VideosAnswer> {
    let names = categories.current().await?;
    let title = |dir: String| Ref { title: names.title(&dir, lang).to_owned(), dir };
    let categories = most_first(counts.get("category_dirs"), usize::MAX);
    let mut models = most_first(counts.get("model_dirs"), MOST_MODELS);
    // What was chosen or left out has a name even where no video of the list has it.
    let unseen = list.names.models.iter().filter(|_| total == 0).chain(&list.names.not_models);
    models.extend(unseen.map(|dir| (dir.clone(), 0)));
    Ok(VideosAnswer {
        playlist: None,
        fallback: None,
        code: videos.is_empty().then_some(match list.section {
            Section::Channel(_) => "channels_not_found",
            _ => "videos_not_found",
        }),
        videos: videos.into_iter().map(|video| VideoCard::new(video, &names, lang)).collect(),
        total_count: total,
        pages: total.div_ceil(list.count as usize),
        categories: categories
            .into_iter()
            .map(|(dir, total_videos)| ValueCount { of: title(dir), total_videos })
            .collect(),
        models: with_names(model_names, models).await?,
    })
}

/// Up to `most` values with their counts, most first.
pub fn most_first(counts: Option<&HashMap<String, usize>>, most: usize) -> Vec<(String, usize)> {
    let mut counts: Vec<(&String, usize)> =
        counts.into_iter().flatten().map(|(value, total)| (value, *total)).collect();
    let place = |(a, n): &(&String, usize), (b, m): &(&String, usize)| m.cmp(n).then_with(|| a.cmp(b));
    if counts.len() > most {
        counts.select_nth_unstable_by(most, place);
        counts.truncate(most);
    }
    counts.sort_unstable_by(place);
    counts.into_iter().map(|(value, total)| (value.clone(), total)).collect()
}

/// Counts of models with their names.
pub async fn with_names(model_names: &ModelNames, counts: Vec<(String, usize)>) -> ApiResult<Vec<ValueCount>> {
    let (dirs, totals): (Vec<String>, Vec<usize>) = counts.into_iter().unzip();
    let names = model_names.of(&dirs).await?;
    Ok(names.into_iter().zip(totals).map(|(of, total_videos)| ValueCount { of, total_videos }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_come_first_and_equal_ones_by_name() {
        let counts: HashMap<String, usize> = [("d", 1), ("b", 7), ("c", 3), ("a", 3)]
            .into_iter()
            .map(|(value, total)| (value.to_owned(), total))
            .collect();
        let first = |most| {
            let found = most_first(Some(&counts), most).into_iter();
            found.map(|(value, total)| format!("{value}{total}")).collect::<Vec<_>>()
        };
        assert_eq!(first(usize::MAX), ["b7", "a3", "c3", "d1"]);
        assert_eq!(first(2), ["b7", "a3"], "cut between equal ones");
        assert_eq!((first(0).len(), most_first(None, 2).len()), (0, 0));
    }
}
