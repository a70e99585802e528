//! How a search is answered: in the visitor's language, else in any, else relaxed.

use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, SearchClient, text};
use serde::de::IgnoredAny;

use super::{
    groups::{self, Groups},
    kana::KanaReading,
    little::{Doubts, last, second},
    opened,
    outcome::Outcome,
    own_language,
    prepared::{PreparedSearch, SearchedFields, first_fields, names},
    request::SearchRequest,
    slips::Slips,
};
use crate::{
    clicks::Clicks,
    index::{self, Found, Reader, VideoDoc, VideoQuery, find_many},
    lexicon::Lexicon,
};

/// The page of what matches the whole search, as it is read first.
pub async fn exactly(reader: &Reader, ask: &SearchRequest) -> ApiResult<Found<VideoDoc>> {
    if !text::has_words(&text::wanted(&ask.text)) {
        return Ok(Found::default());
    }
    let prepared = PreparedSearch::new(reader.now(), ask);
    let fields = SearchedFields::of(IndexName::Videos, ask);
    index::find(reader, prepared.query(&prepared.readings[0], &names(&fields.own))).await
}

/// How many videos match each search as a whole.
pub async fn totals(search: &SearchClient, now: i64, asks: &[SearchRequest]) -> ApiResult<Vec<usize>> {
    let Some(first) = asks.first().filter(|ask| text::has_words(&text::wanted(&ask.text))) else {
        return Ok(vec![0; asks.len()]);
    };
    let fields = SearchedFields::of(IndexName::Videos, first);
    let own = names(&fields.own);
    let prepared: Vec<PreparedSearch> = asks.iter().map(|ask| PreparedSearch::counting(now, ask)).collect();
    let queries: Vec<VideoQuery<'_>> = prepared
        .iter()
        .map(|one| VideoQuery { fields: &[], counts: &[], sort: &[], ..one.query(&one.readings[0], &own) })
        .collect();
    Ok(find_many(search, &queries).await?.iter().map(|found| found.total).collect())
}

/// How many videos match the whole search and this.
pub async fn count(reader: &Reader, ask: &SearchRequest, more: &Filter) -> ApiResult<usize> {
    if !text::has_words(&text::wanted(&ask.text)) {
        return Ok(0);
    }
    let prepared = PreparedSearch::counting(reader.now(), ask);
    let fields = SearchedFields::of(IndexName::Videos, ask);
    let own = names(&fields.own);
    let query = prepared.query(&prepared.readings[0], &own);
    let query =
        VideoQuery { filter: query.filter.clone().and(more.clone()), fields: &[], counts: &[], sort: &[], ..query };
    Ok(index::find::<IgnoredAny>(reader, query).await?.total)
}

/// Answers a search: titles in the visitor's language first, then what visitors opened after it further up.
pub async fn run(reader: &Reader, lexicon: &Lexicon, clicks: &Clicks, ask: &SearchRequest) -> ApiResult<Outcome> {
    let mut outcome = search(reader, lexicon, ask).await?;
    own_language::first(ask, &mut outcome);
    opened::lift(clicks, ask, &mut outcome);
    Ok(outcome)
}

/// A text that only excludes asks for nothing and finds nothing.
async fn search(reader: &Reader, lexicon: &Lexicon, ask: &SearchRequest) -> ApiResult<Outcome> {
    let shown = vec![ask.text.clone()];
    if !text::has_words(&text::wanted(&ask.text)) {
        let groups = (ask.list.page == 1).then(Groups::default);
        return Ok(Outcome { shown, groups, ..Outcome::default() });
    }
    let mut prepared = PreparedSearch::new(reader.now(), ask);
    let (reading, fields) = first_fields(lexicon, ask);
    prepared.read_first(reading);
    let (found, groups) = first(reader, ask, &prepared, &fields).await?;
    let outcome = Outcome { hits: found.total, found, shown, groups, ..Outcome::default() };
    let slips = Slips::new(lexicon, ask, &outcome);
    let reading = KanaReading::of(reader, lexicon, ask, (&prepared, &fields), &outcome.found.hits).await?;
    let is_chance = reading.as_ref().is_some_and(|reading| reading.is_chance);
    if outcome.hits >= reader.config.listing.few_hits && slips.is_empty() && !is_chance {
        return Ok(outcome);
    }
    let doubts = Doubts { slips, reading, is_chance };
    let outcome = second(reader, lexicon, ask, (prepared, doubts), &fields, outcome).await?;
    if outcome.found.total > 0 { Ok(outcome) } else { last(reader, lexicon, ask, &fields, outcome).await }
}

/// Videos in what the visitor can read, and on the first page the groups.
async fn first(
    reader: &Reader,
    ask: &SearchRequest,
    prepared: &PreparedSearch,
    fields: &SearchedFields,
) -> ApiResult<(Found<VideoDoc>, Option<Groups>)> {
    let searched = names(&fields.first);
    let videos = prepared.query(&prepared.readings[0], &searched);
    if ask.list.page > 1 {
        return Ok((index::find(reader, videos).await?, None));
    }
    let titles = SearchedFields::of(IndexName::Categories, ask);
    let titles = names(&titles.own);
    let readings = text::readings(&ask.text, ask.lang);
    let other = readings.get(1).unwrap_or(&readings[0]);
    let groups = groups::queries(&reader.config, ask.list.gender, &readings[0], other, &titles);
    let queries: Vec<VideoQuery<'_>> = std::iter::once(videos).chain(groups).collect();
    let mut found = find_many(&reader.search, &queries).await?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let (videos, groups) = (next(), [next(), next(), next(), next()]);
    let names = reader.categories.current().await?;
    let groups = groups::read(reader.now(), &names, ask.list.gender, ask.lang, groups)?;
    Ok((videos.read()?, Some(groups)))
}
