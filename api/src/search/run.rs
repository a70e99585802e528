//! How a search is answered: in the visitor's language, else in any, else relaxed.

use lantern_index::{Filter, IndexName, settings, text};

use super::{
    groups::{self, Groups},
    little::{last, second},
    relax::Relaxed,
    request::SearchRequest,
};
use crate::{
    http::{error::ApiResult, extract::has_words},
    index::{self, Found, VideoDoc, VideoQuery, find_many},
    state::AppState,
};

/// What came of a search.
#[derive(Default)]
pub struct Outcome {
    /// What is shown.
    pub found: Found<VideoDoc>,
    /// How many videos match the whole search.
    pub hits: usize,
    /// The queries that are shown for.
    pub shown: Vec<String>,
    /// What was given up to find something.
    pub relaxed: Vec<Relaxed>,
    /// What was given up in vain.
    pub tried: Vec<Relaxed>,
    /// A better known spelling that finds more.
    pub did_you_mean: Option<String>,
    /// On the first page.
    pub groups: Option<Groups>,
}

/// Fields to look for words in.
pub struct SearchedFields {
    pub own: Vec<String>,
    pub all: Vec<String>,
}

impl SearchedFields {
    fn of(index: IndexName, ask: &SearchRequest) -> Self {
        Self { own: settings::searched(index, Some(ask.lang)), all: settings::searched(index, None) }
    }
}

/// The fields as the queries borrow them.
pub fn names(fields: &[String]) -> Vec<&str> {
    fields.iter().map(String::as_str).collect()
}

/// A search with everything its queries borrow.
#[derive(Clone)]
pub struct Prepared {
    /// The ways to read its text, likeliest first.
    pub readings: Vec<String>,
    filter: Filter,
    sort: Vec<&'static str>,
    pub offset: usize,
    pub limit: usize,
}

impl Prepared {
    /// The page that is asked for.
    pub fn new(now: i64, ask: &SearchRequest) -> Self {
        Self {
            readings: text::readings(&ask.text, ask.lang),
            filter: ask.filter(now),
            sort: index::video_sort(&ask.list).map(Vec::from).unwrap_or_default(),
            offset: ask.list.offset(),
            limit: ask.list.count as usize,
        }
    }

    /// What a video must be.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// The order that was asked for; relevance when empty.
    pub fn sort(&self) -> &[&'static str] {
        &self.sort
    }

    /// Every word of a reading must match.
    pub fn query<'a>(&'a self, reading: &'a str, search_on: &'a [&'a str]) -> VideoQuery<'a> {
        VideoQuery {
            text: Some(reading),
            sort: &self.sort,
            offset: self.offset,
            limit: self.limit,
            search_on,
            ..VideoQuery::new(self.filter.clone())
        }
    }
}

/// Answers a search, what visitors opened after it further up.
pub async fn run(state: &AppState, ask: &SearchRequest) -> ApiResult<Outcome> {
    let mut outcome = search(state, ask).await?;
    state.clicks.lift(ask, &mut outcome);
    Ok(outcome)
}

/// A text that only excludes asks for nothing and finds nothing.
async fn search(state: &AppState, ask: &SearchRequest) -> ApiResult<Outcome> {
    let shown = vec![ask.text.clone()];
    if !has_words(&text::wanted(&ask.text)) {
        let groups = (ask.list.page == 1).then(Groups::default);
        return Ok(Outcome { shown, groups, ..Outcome::default() });
    }
    let prepared = Prepared::new((state.now)(), ask);
    let fields = SearchedFields::of(IndexName::Videos, ask);
    let (found, groups) = first(state, ask, &prepared, &fields).await?;
    let outcome = Outcome { hits: found.total, found, shown, groups, ..Outcome::default() };
    if outcome.hits >= state.config.listing.few_hits {
        return Ok(outcome);
    }
    let outcome = second(state, ask, prepared, &fields, outcome).await?;
    if outcome.found.total > 0 { Ok(outcome) } else { last(state, ask, &fields, outcome).await }
}

/// Videos in what the visitor can read, and on the first page the groups.
async fn first(
    state: &AppState,
    ask: &SearchRequest,
    prepared: &Prepared,
    fields: &SearchedFields,
) -> ApiResult<(Found<VideoDoc>, Option<Groups>)> {
    let own = names(&fields.own);
    let videos = prepared.query(&prepared.readings[0], &own);
    if ask.list.page > 1 {
        return Ok((index::find(state, videos).await?, None));
    }
    let titles = SearchedFields::of(IndexName::Categories, ask);
    let titles = names(&titles.own);
    let other = prepared.readings.get(1).unwrap_or(&prepared.readings[0]);
    let groups = groups::queries(&state.config, ask.list.gender, &prepared.readings[0], other, &titles);
    let queries: Vec<VideoQuery<'_>> = std::iter::once(videos).chain(groups).collect();
    let mut found = find_many(state, &queries).await?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let (videos, groups) = (next(), [next(), next(), next(), next()]);
    let names = state.categories.current().await?;
    let groups = groups::read((state.now)(), &names, ask.list.gender, ask.lang, groups)?;
    Ok((videos.read()?, Some(groups)))
}
