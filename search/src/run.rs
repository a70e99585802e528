//! Runs a search: its first round trip, and the fallbacks if that finds little.

use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, settings, text};
use serde::de::IgnoredAny;

use super::{
    doubts::Doubts,
    fallbacks,
    groups::{self, Groups},
    opened,
    outcome::Outcome,
    own_language,
    prepared::{PreparedSearch, Search, SearchedFields},
    request::SearchRequest,
};
use crate::{
    clicks::Clicks,
    index::{self, Found, Reader, VideoDoc, VideoQuery, find_many},
    lexicon::Lexicon,
};

/// Returns the page of videos that match the whole search in its first language variant.
pub async fn find_exact(reader: &Reader, request: &SearchRequest) -> ApiResult<Found<VideoDoc>> {
    if !request.has_words() {
        return Ok(Found::default());
    }
    let prepared = PreparedSearch::new(reader.now(), request);
    let fields = SearchedFields::new(IndexName::Videos, request);
    index::find(reader, prepared.first_query(&fields.own)).await
}

/// Returns the number of videos that match each search as a whole. The searches differ only in their filters.
pub async fn totals(reader: &Reader, requests: &[SearchRequest]) -> ApiResult<Vec<usize>> {
    let Some(first) = requests.first().filter(|request| request.has_words()) else {
        return Ok(vec![0; requests.len()]);
    };
    let fields = SearchedFields::new(IndexName::Videos, first);
    let prepared: Vec<_> = requests.iter().map(|request| PreparedSearch::new(reader.now(), request)).collect();
    let queries: Vec<VideoQuery<'_>> = prepared.iter().map(|one| one.count_query(&fields.own)).collect();
    Ok(find_many(&reader.search, &queries).await?.iter().map(|found| found.total).collect())
}

/// Returns the number of videos that match both the whole search and the filter `more`.
pub async fn count(reader: &Reader, request: &SearchRequest, more: &Filter) -> ApiResult<usize> {
    if !request.has_words() {
        return Ok(0);
    }
    let prepared = PreparedSearch::new(reader.now(), request);
    let fields = SearchedFields::new(IndexName::Videos, request);
    let query = VideoQuery { filter: prepared.filter.clone().and(more.clone()), ..prepared.count_query(&fields.own) };
    Ok(index::find::<IgnoredAny>(reader, query).await?.total)
}

/// Runs a search, then promotes titles in the visitor's language and videos that visitors opened after it.
pub async fn run(reader: &Reader, lexicon: &Lexicon, clicks: &Clicks, request: &SearchRequest) -> ApiResult<Outcome> {
    let mut outcome = search(&Search::new(reader, lexicon, request)).await?;
    own_language::promote(request, &mut outcome);
    opened::apply_boosts(clicks, request, &mut outcome);
    Ok(outcome)
}

/// Runs a search. Returns nothing for a query that consists only of exclusions.
async fn search(search: &Search<'_>) -> ApiResult<Outcome> {
    let shown = vec![search.request.text.clone()];
    if !search.request.has_words() {
        let groups = (search.request.list.page == 1).then(Groups::default);
        return Ok(Outcome { shown, groups, ..Outcome::default() });
    }
    let (found, groups) = first_round_trip(search).await?;
    let outcome = Outcome { hits: found.total, found, shown, groups, ..Outcome::default() };
    let doubts = Doubts::find(search, &outcome.found.hits).await?;
    if outcome.hits >= search.reader.config.listing.few_hits && doubts.is_empty() {
        return Ok(outcome);
    }
    fallbacks::run(search, doubts, outcome).await
}

/// Searches for videos in the fields of [`SearchedFields::first`], and for groups if this is the first page.
async fn first_round_trip(search: &Search<'_>) -> ApiResult<(Found<VideoDoc>, Option<Groups>)> {
    let Search { reader, request, .. } = search;
    if request.list.page > 1 {
        return Ok((index::find(reader, search.first_query()).await?, None));
    }
    let titles = settings::searched(IndexName::Categories, Some(request.lang));
    let readings = text::readings(&request.text, request.lang);
    let groups = groups::queries(&reader.config, request.list.gender, &readings, &titles);
    let queries: Vec<VideoQuery<'_>> = std::iter::once(search.first_query()).chain(groups).collect();
    let mut found = find_many(&reader.search, &queries).await?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let (videos, groups) = (next(), [next(), next(), next(), next()]);
    Ok((videos.read()?, Some(groups::read(reader, request, groups).await?)))
}
