//! How a search is answered: in the visitor's language, else in any, else relaxed.

use lantern_index::{Filter, IndexName, settings, text};

use super::{
    corrections::{self, Hints},
    groups::{self, Groups},
    parts::{self, Shown},
    relax::{Relaxed, Step, steps},
    request::SearchRequest,
};
use crate::{
    http::{error::ApiResult, extract::has_words},
    index::{self, Found, Hit, VideoDoc, VideoQuery, find_many},
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

/// Answers a search. A text that only excludes asks for nothing and finds nothing.
pub async fn run(state: &AppState, ask: &SearchRequest) -> ApiResult<Outcome> {
    let shown = vec![ask.text.clone()];
    if !has_words(&text::wanted(&ask.text)) {
        let groups = (ask.list.page == 1).then(Groups::default);
        return Ok(Outcome { shown, groups, ..Outcome::default() });
    }
    let prepared = Prepared::new((state.now)(), ask);
    let fields = SearchedFields::of(IndexName::Videos, ask);
    let (found, groups) = first(state, ask, &prepared, &fields).await?;
    let outcome = Outcome { hits: found.total, found, shown, groups, ..Outcome::default() };
    let enough = if ask.list.page == 1 { state.config.listing.few_hits } else { 1 };
    if outcome.hits >= enough {
        return Ok(outcome);
    }
    second(state, ask, prepared, &fields, outcome).await
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

/// Other readings in every language, then the relaxed searches, and what the query may have meant, all at once.
async fn second(
    state: &AppState,
    ask: &SearchRequest,
    mut prepared: Prepared,
    fields: &SearchedFields,
    mut outcome: Outcome,
) -> ApiResult<Outcome> {
    let (reading, likely) = (prepared.readings[0].clone(), prepared.readings.len());
    prepared.readings = text::all_readings(&ask.text, ask.lang);
    let steps = if outcome.hits == 0 { steps(ask, state.config.listing.relaxed_words) } else { Vec::new() };
    let parts = parts::all((state.now)(), (ask.text.clone(), prepared), &steps);
    let (own, all) = (names(&fields.own), names(&fields.all));
    let ways = if outcome.hits == 0 { parts::ways(&parts) } else { Vec::new() };
    let mut queries: Vec<VideoQuery<'_>> = ways.iter().map(|at| parts::query(&parts, *at, &own, &all)).collect();
    let hints = Hints::new(&state.prohibited, ask, &reading);
    let wanted = corrections::searched(ask.lang);
    let wanted = names(&wanted);
    queries.extend(hints.queries(&wanted));
    let mut found = find_many(state, &queries).await?;
    let spelled = found.split_off(ways.len());
    let lists = ways.into_iter().zip(found);
    let shown = parts::put_together(state, &parts, fields, lists).await?;
    // A spelling of the visitor's language is likelier than a word of a third one.
    let unlikely = shown.as_ref().filter(|shown| shown.step == 0 && shown.way > likely).map(|shown| shown.found.total);
    take(&mut outcome, &steps, shown)?;
    if unlikely.is_some() {
        outcome.hits = 0;
    }
    let spelling = match state.words.written(&ask.text, ask.lang) {
        None => hints.corrected(ask, spelled, state.words.near(&ask.text, ask.lang))?,
        read => read,
    };
    if let Some(spelling) = spelling
        && let Some(found) = corrections::confirmed(state, ask, &spelling, fields, outcome.hits).await?
    {
        correct(&mut outcome, spelling, found)?;
    } else if let Some(hits) = unlikely {
        outcome.hits = hits;
    }
    Ok(outcome)
}

/// Offers the spelling; where the search itself finds nothing, what it finds is shown instead of what is left of the search.
fn correct(outcome: &mut Outcome, spelling: String, found: Found<Hit>) -> ApiResult<()> {
    if outcome.hits > 0 {
        outcome.did_you_mean = Some(spelling);
        return Ok(());
    }
    let took = outcome.found.took + found.took;
    outcome.found = Found { took, ..found.read()? };
    (outcome.shown, outcome.relaxed, outcome.tried) = (vec![spelling], vec![Relaxed::Spelling], Vec::new());
    Ok(())
}

/// Puts what is shown into the outcome, or what was given up in vain.
fn take(outcome: &mut Outcome, steps: &[Step], shown: Option<Shown>) -> ApiResult<()> {
    let Some(Shown { step, texts, found, .. }) = shown else {
        outcome.tried = match (outcome.hits, steps.last()) {
            (0, Some(last)) => last.relaxed.clone(),
            _ => Vec::new(),
        };
        return Ok(());
    };
    let took = outcome.found.took + found.took;
    outcome.found = Found { took, ..found.read()? };
    match step.checked_sub(1).map(|at| &steps[at]) {
        None => outcome.hits = outcome.found.total,
        Some(step) => {
            outcome.relaxed.clone_from(&step.relaxed);
            outcome.shown = texts;
        }
    }
    Ok(())
}
