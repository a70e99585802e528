//! How a search is answered: in the visitor's language, else in any, else relaxed.

use lantern_config::Lang;
use lantern_index::{Filter, IndexName, SearchClient, settings, text};
use serde::de::IgnoredAny;

use super::{
    groups::{self, Groups},
    little::{last, second},
    own_language,
    relax::Relaxed,
    request::SearchRequest,
    slips::Slips,
};
use crate::{
    http::{ApiResult, has_words},
    index::{self, Found, VideoDoc, VideoQuery, find_many},
    search::{meaning::Meanings, words::Words},
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
    /// Where the search is looked for first: of the visitor's language and of those that it is written in.
    pub first: Vec<String>,
    /// The language it is read in first.
    pub lang: Lang,
}

impl SearchedFields {
    fn of(index: IndexName, ask: &SearchRequest) -> Self {
        let own = settings::searched(index, Some(ask.lang));
        Self { first: own.clone(), own, all: settings::searched(index, None), lang: ask.lang }
    }

    /// Whether the search is written in another language than the visitor's.
    pub fn is_foreign(&self) -> bool {
        self.first.len() > self.own.len()
    }
}

/// How a search is read first, and where that is looked for: in words that titles of another language have and none of the visitor's
/// it is looked for in both.
pub fn first_fields(words: &Words, meanings: &Meanings, ask: &SearchRequest) -> (String, SearchedFields) {
    let mut fields = SearchedFields::of(IndexName::Videos, ask);
    let langs = words.foreign_langs(&ask.text, ask.lang, |word| meanings.knows(word, ask.lang));
    fields.lang = langs.first().copied().unwrap_or(ask.lang);
    let reading = text::query(&ask.text, fields.lang);
    // Languages that cut other endings would be asked in vain.
    for lang in langs.into_iter().filter(|lang| text::query(&ask.text, *lang) == reading) {
        let more = settings::searched(IndexName::Videos, Some(lang)).into_iter();
        let more: Vec<String> = more.filter(|field| !fields.first.contains(field)).collect();
        fields.first.extend(more);
    }
    (reading, fields)
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

    /// With a reading before the others.
    fn read_first(&mut self, reading: String) {
        self.readings.retain(|known| *known != reading);
        self.readings.insert(0, reading);
    }

    /// With every other reading behind these.
    pub fn read_in_all(&mut self, ask: &SearchRequest) {
        let others = text::all_readings(&ask.text, ask.lang);
        let others: Vec<String> = others.into_iter().filter(|reading| !self.readings.contains(reading)).collect();
        self.readings.extend(others);
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

/// The page of what matches the whole search, as it is read first.
pub async fn exactly(state: &AppState, ask: &SearchRequest) -> ApiResult<Found<VideoDoc>> {
    if !has_words(&text::wanted(&ask.text)) {
        return Ok(Found::default());
    }
    let prepared = Prepared::new((state.now)(), ask);
    let fields = SearchedFields::of(IndexName::Videos, ask);
    index::find(state, prepared.query(&prepared.readings[0], &names(&fields.own))).await
}

/// How many videos match each search as a whole.
pub async fn totals(search: &SearchClient, now: i64, asks: &[SearchRequest]) -> ApiResult<Vec<usize>> {
    let Some(first) = asks.first().filter(|ask| has_words(&text::wanted(&ask.text))) else {
        return Ok(vec![0; asks.len()]);
    };
    let fields = SearchedFields::of(IndexName::Videos, first);
    let own = names(&fields.own);
    let counting = |ask| Prepared { offset: 0, limit: 0, ..Prepared::new(now, ask) };
    let prepared: Vec<Prepared> = asks.iter().map(counting).collect();
    let queries: Vec<VideoQuery<'_>> = prepared
        .iter()
        .map(|one| VideoQuery { fields: &[], counts: &[], sort: &[], ..one.query(&one.readings[0], &own) })
        .collect();
    Ok(find_many(search, &queries).await?.iter().map(|found| found.total).collect())
}

/// How many videos match the whole search and this.
pub async fn count(state: &AppState, ask: &SearchRequest, more: &Filter) -> ApiResult<usize> {
    if !has_words(&text::wanted(&ask.text)) {
        return Ok(0);
    }
    let prepared = Prepared { offset: 0, limit: 0, ..Prepared::new((state.now)(), ask) };
    let fields = SearchedFields::of(IndexName::Videos, ask);
    let own = names(&fields.own);
    let query = prepared.query(&prepared.readings[0], &own);
    let query =
        VideoQuery { filter: query.filter.clone().and(more.clone()), fields: &[], counts: &[], sort: &[], ..query };
    Ok(index::find::<IgnoredAny>(state, query).await?.total)
}

/// Answers a search: titles in the visitor's language first, then what visitors opened after it further up.
pub async fn run(state: &AppState, ask: &SearchRequest) -> ApiResult<Outcome> {
    let mut outcome = search(state, ask).await?;
    own_language::first(ask, &mut outcome);
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
    let mut prepared = Prepared::new((state.now)(), ask);
    let (reading, fields) = first_fields(&state.words, &state.meanings, ask);
    prepared.read_first(reading);
    let (found, groups) = first(state, ask, &prepared, &fields).await?;
    let outcome = Outcome { hits: found.total, found, shown, groups, ..Outcome::default() };
    let slips = Slips::new(&state.words, &state.meanings, ask, &outcome);
    if outcome.hits >= state.config.listing.few_hits && slips.is_empty() {
        return Ok(outcome);
    }
    let outcome = second(state, ask, (prepared, slips), &fields, outcome).await?;
    if outcome.found.total > 0 { Ok(outcome) } else { last(state, ask, &fields, outcome).await }
}

/// Videos in what the visitor can read, and on the first page the groups.
async fn first(
    state: &AppState,
    ask: &SearchRequest,
    prepared: &Prepared,
    fields: &SearchedFields,
) -> ApiResult<(Found<VideoDoc>, Option<Groups>)> {
    let searched = names(&fields.first);
    let videos = prepared.query(&prepared.readings[0], &searched);
    if ask.list.page > 1 {
        return Ok((index::find(state, videos).await?, None));
    }
    let titles = SearchedFields::of(IndexName::Categories, ask);
    let titles = names(&titles.own);
    let readings = text::readings(&ask.text, ask.lang);
    let other = readings.get(1).unwrap_or(&readings[0]);
    let groups = groups::queries(&state.config, ask.list.gender, &readings[0], other, &titles);
    let queries: Vec<VideoQuery<'_>> = std::iter::once(videos).chain(groups).collect();
    let mut found = find_many(&state.search, &queries).await?.into_iter();
    let mut next = || found.next().unwrap_or_default();
    let (videos, groups) = (next(), [next(), next(), next(), next()]);
    let names = state.categories.current().await?;
    let groups = groups::read((state.now)(), &names, ask.list.gender, ask.lang, groups)?;
    Ok((videos.read()?, Some(groups)))
}
