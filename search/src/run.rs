//! Runs a search, first in the visitor's language, then in any language, then relaxed.

use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, SearchClient, text};
use serde::de::IgnoredAny;

use super::{
    groups::{self, Groups},
    kana::KanaReading,
    little::{Doubts, last_resort, second_round_trip},
    opened,
    outcome::Outcome,
    own_language,
    prepared::{PreparedSearch, SearchedFields, as_strs, first_reading},
    request::SearchRequest,
    slips::PossibleTypos,
};
use crate::{
    clicks::Clicks,
    index::{self, Found, Reader, VideoDoc, VideoQuery, find_many},
    lexicon::Lexicon,
};

/// Returns the page of videos that match the whole search in its first language variant.
pub async fn find_exact(reader: &Reader, request: &SearchRequest) -> ApiResult<Found<VideoDoc>> {
    if !text::has_words(&text::wanted(&request.text)) {
        return Ok(Found::default());
    }
    let prepared = PreparedSearch::new(reader.now(), request);
    let fields = SearchedFields::new(IndexName::Videos, request);
    index::find(reader, prepared.query(&prepared.readings[0], &as_strs(&fields.own))).await
}

/// Returns the number of videos that match each search as a whole.
pub async fn totals(search: &SearchClient, now: i64, requests: &[SearchRequest]) -> ApiResult<Vec<usize>> {
    let Some(first) = requests.first().filter(|request| text::has_words(&text::wanted(&request.text))) else {
        return Ok(vec![0; requests.len()]);
    };
    let fields = SearchedFields::new(IndexName::Videos, first);
    let own = as_strs(&fields.own);
    let prepared: Vec<PreparedSearch> =
        requests.iter().map(|request| PreparedSearch::count_only(now, request)).collect();
    let queries: Vec<VideoQuery<'_>> = prepared
        .iter()
        .map(|one| VideoQuery { fields: &[], counts: &[], sort: &[], ..one.query(&one.readings[0], &own) })
        .collect();
    Ok(find_many(search, &queries).await?.iter().map(|found| found.total).collect())
}

/// Returns the number of videos that match both the whole search and the filter `more`.
pub async fn count(reader: &Reader, request: &SearchRequest, more: &Filter) -> ApiResult<usize> {
    if !text::has_words(&text::wanted(&request.text)) {
        return Ok(0);
    }
    let prepared = PreparedSearch::count_only(reader.now(), request);
    let fields = SearchedFields::new(IndexName::Videos, request);
    let own = as_strs(&fields.own);
    let query = prepared.query(&prepared.readings[0], &own);
    let query =
        VideoQuery { filter: query.filter.clone().and(more.clone()), fields: &[], counts: &[], sort: &[], ..query };
    Ok(index::find::<IgnoredAny>(reader, query).await?.total)
}

/// Runs a search, then promotes titles in the visitor's language and videos that visitors opened after it.
pub async fn run(reader: &Reader, lexicon: &Lexicon, clicks: &Clicks, request: &SearchRequest) -> ApiResult<Outcome> {
    let mut outcome = search(reader, lexicon, request).await?;
    own_language::promote(request, &mut outcome);
    opened::apply_boosts(clicks, request, &mut outcome);
    Ok(outcome)
}

/// Runs a search. Returns nothing for a query that consists only of exclusions.
async fn search(reader: &Reader, lexicon: &Lexicon, request: &SearchRequest) -> ApiResult<Outcome> {
    let shown = vec![request.text.clone()];
    if !text::has_words(&text::wanted(&request.text)) {
        let groups = (request.list.page == 1).then(Groups::default);
        return Ok(Outcome { shown, groups, ..Outcome::default() });
    }
    let mut prepared = PreparedSearch::new(reader.now(), request);
    let (reading, fields) = first_reading(lexicon, request);
    prepared.prepend_reading(reading);
    let (found, groups) = first_round_trip(reader, request, &prepared, &fields).await?;
    let outcome = Outcome { hits: found.total, found, shown, groups, ..Outcome::default() };
    let typos = PossibleTypos::new(lexicon, request, &outcome);
    let reading = KanaReading::find(reader, lexicon, request, (&prepared, &fields), &outcome.found.hits).await?;
    let is_chance = reading.as_ref().is_some_and(|reading| reading.is_chance);
    if outcome.hits >= reader.config.listing.few_hits && typos.is_empty() && !is_chance {
        return Ok(outcome);
    }
    let doubts = Doubts { typos, reading, is_chance };
    let outcome = second_round_trip(reader, lexicon, request, (prepared, doubts), &fields, outcome).await?;
    if outcome.found.total > 0 { Ok(outcome) } else { last_resort(reader, lexicon, request, &fields, outcome).await }
}

/// Searches for videos in the fields of [`SearchedFields::first`], and for groups if this is the first page.
async fn first_round_trip(
    reader: &Reader,
    request: &SearchRequest,
    prepared: &PreparedSearch,
    fields: &SearchedFields,
) -> ApiResult<(Found<VideoDoc>, Option<Groups>)> {
    let searched = as_strs(&fields.first);
    let videos = prepared.query(&prepared.readings[0], &searched);
    if request.list.page > 1 {
        return Ok((index::find(reader, videos).await?, None));
    }
    let titles = SearchedFields::new(IndexName::Categories, request);
    let titles = as_strs(&titles.own);
    let readings = text::readings(&request.text, request.lang);
    let other = readings.get(1).unwrap_or(&readings[0]);
    let groups = groups::queries(&reader.config, request.list.gender, &readings[0], other, &titles);
    let queries: Vec<VideoQuery<'_>> = std::iter::once(videos).chain(groups).collect();
    let mut found = find_many(&reader.search, &queries).await?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let (videos, groups) = (next(), [next(), next(), next(), next()]);
    let names = reader.categories.current().await?;
    let groups = groups::read(reader.now(), &names, request.list.gender, request.lang, groups)?;
    Ok((videos.read()?, Some(groups)))
}
