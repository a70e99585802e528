//! What a search shows whose plan finds nothing, or little: one more request with everything that may be shown instead, in order, or with
//! the videos that match fewer words.

use std::ops::Range;

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, settings, text};
use meilisearch_sdk::search::MatchingStrategies;

use crate::{
    index::{self, Found, Hit, Reader, VideoDoc, VideoQuery, find_lists},
    outcome::{Outcome, Partial},
    plan::{POPULAR, PlannedSearch, Planner, Token},
    relax::{Relaxation, filter_steps},
    request::SearchRequest,
};

/// Maximum number of words for which every choice of words to drop is tried. Each choice is counted.
const MAX_CHOICE_WORDS: usize = 4;

/// Minimum number of words in a text whose last word may be incomplete, such as a title that is cut off.
const MIN_OPEN_WORDS: usize = 3;

/// A search that may be shown.
struct Attempt {
    relaxed: Vec<Relaxation>,
    filter: Filter,
    /// Text for the engine, or `None` if the filter decides alone.
    text: Option<String>,
    /// Whether the text may be in any language, and in descriptions.
    is_anywhere: bool,
    strategy: MatchingStrategies,
    /// Queries whose videos it shows, each with the condition of these videos.
    parts: Vec<(String, Filter)>,
    /// Number of words that each of these queries lacks.
    dropped: usize,
}

/// Sends all attempts in one request and shows the first one that finds something: the words in descriptions, the corrected spelling, then
/// less and less of the corrected or typed query. Orientation, type, models, privacy, mutes and exclusions are never relaxed.
pub async fn run(
    reader: &Reader,
    request: &SearchRequest,
    (planned, corrected): (&PlannedSearch, Option<&PlannedSearch>),
    outcome: Outcome,
) -> ApiResult<Outcome> {
    let (texts, attempts) = (text_attempts(reader, request, planned), attempts(reader, request, (planned, corrected)));
    let fields = [Some(request.lang), None].map(|lang| settings::searched(IndexName::Videos, lang));
    let sort = request.list.sort_keys().map(Vec::from).unwrap_or_default();
    let query = |attempt| Attempt::query(attempt, request, &sort, &fields);
    let counts = attempts.iter().flat_map(Attempt::counts).collect();
    let corrections = corrected.map(PlannedSearch::page_queries).unwrap_or_default();
    let lists: [Vec<VideoQuery<'_>>; 4] =
        [texts.iter().map(query).collect(), corrections, attempts.iter().map(query).collect(), counts];
    let [in_texts, corrections, found, counts] = find_lists(&reader.search, lists).await?;
    if let Some(found) = in_texts.into_iter().find(|found| found.total > 0) {
        return shown_instead(outcome, found, Vec::new(), Vec::new());
    }
    if let Some(corrected) = corrected {
        let found = corrected.page(reader, corrections).await?;
        if found.total > 0 {
            let (words, shown) = (corrected.plan.words(), vec![corrected.plan.text.clone()]);
            return Ok(Outcome { words, shown, relaxed: vec![Relaxation::Spelling], found, ..outcome });
        }
    }
    let mut counts = counts.into_iter().map(|found| found.total);
    let found = attempts.into_iter().zip(found).map(|(attempt, found)| {
        let shown = attempt.shown(&mut counts);
        (attempt, found, shown)
    });
    let (few, room) = (reader.config.listing.few_hits, request.list.count as usize);
    first_found(
        outcome,
        found,
        |total| if total < few && request.list.page == 1 { room.saturating_sub(total) } else { 0 },
    )
}

/// Shows the first attempt that found something. The next one fills the page up if it drops as many words. `room` returns how many more
/// videos a page has room for, given the number found.
fn first_found(
    mut outcome: Outcome,
    mut found: impl Iterator<Item = (Attempt, Found<Hit>, Vec<String>)>,
    room: impl Fn(usize) -> usize,
) -> ApiResult<Outcome> {
    while let Some((attempt, mut videos, shown)) = found.next() {
        let is_popular = attempt.relaxed.last() == Some(&Relaxation::Popular);
        if videos.total == 0 {
            if !is_popular {
                outcome.tried = attempt.relaxed;
            }
            continue;
        }
        if is_popular {
            videos.total = videos.hits.len();
        }
        let room = room(videos.total);
        if let Some((next, others, shown)) = found.next()
            && room > 0
            && next.dropped == attempt.dropped
            && attempt.dropped > 0
        {
            let mut videos = others.read()?.hits;
            videos.truncate(room);
            outcome.partial = (!videos.is_empty()).then_some(Partial { videos, shown });
        }
        return shown_instead(outcome, videos, attempt.relaxed, shown);
    }
    Ok(outcome)
}

fn shown_instead(
    mut outcome: Outcome,
    found: Found<Hit>,
    relaxed: Vec<Relaxation>,
    shown: Vec<String>,
) -> ApiResult<Outcome> {
    outcome.show(found.read()?);
    if relaxed.is_empty() {
        outcome.hits = outcome.found.total;
    }
    if !shown.is_empty() {
        outcome.shown = shown;
    }
    outcome.relaxed = relaxed;
    outcome.tried.clear();
    Ok(outcome)
}

/// Returns the videos that match all words but one, or words that begin with the only word, if the first page of a search has few results.
/// They fill the page up, and are not counted as results.
pub async fn partial(
    reader: &Reader,
    request: &SearchRequest,
    (planner, planned): (&Planner, &PlannedSearch),
    outcome: &Outcome,
) -> ApiResult<Option<Partial>> {
    let room = (request.list.count as usize).saturating_sub(outcome.hits);
    if outcome.hits >= reader.config.listing.few_hits || request.list.page > 1 || room == 0 {
        return Ok(None);
    }
    let others = request.filter(reader.now()).and(planned.plan.excluding()).and(planned.plan.filter().not());
    let attempt = match choices(&planned.plan.wanted, 1).into_iter().next() {
        Some(choices) => Attempt::of_choices(choices, &others, Vec::new(), planned),
        None => Attempt::of_words(planner.similar(&planned.plan), &others, planned),
    };
    if attempt.parts.is_empty() {
        return Ok(None);
    }
    let fields = [Some(request.lang), None].map(|lang| settings::searched(IndexName::Videos, lang));
    let sort = request.list.sort_keys().map(Vec::from).unwrap_or_default();
    let best = VideoQuery { counts: &[], exact: false, limit: room, ..attempt.query(request, &sort, &fields) };
    let [mut found, counts] = find_lists(&reader.search, [vec![best], attempt.counts().collect()]).await?;
    let videos = found.pop().unwrap_or_default().read()?.hits;
    let shown = attempt.shown(&mut counts.into_iter().map(|found| found.total));
    Ok((!videos.is_empty()).then_some(Partial { videos, shown }))
}

/// Shows one page of the most watched videos, without those that the query excludes. Later pages are empty.
pub async fn popular(reader: &Reader, planned: &PlannedSearch, outcome: Outcome) -> ApiResult<Outcome> {
    if !planned.is_first_page() {
        return Ok(outcome);
    }
    let found: Found<VideoDoc> = index::find(reader, planned.popular_query()).await?;
    let relaxed = if found.hits.is_empty() { Vec::new() } else { vec![Relaxation::Popular] };
    Ok(Outcome { found: Found { total: found.hits.len(), ..found }, relaxed, ..outcome })
}

/// Returns the attempts that find the words in any text, in every language variant.
fn text_attempts(reader: &Reader, request: &SearchRequest, planned: &PlannedSearch) -> Vec<Attempt> {
    let filter = request.filter(reader.now()).and(planned.plan.excluding());
    let attempt = |text| Attempt {
        relaxed: Vec::new(),
        filter: filter.clone(),
        text: Some(text),
        is_anywhere: true,
        strategy: MatchingStrategies::ALL,
        parts: Vec::new(),
        dropped: 0,
    };
    texts(&request.text, request.lang).into_iter().map(attempt).collect()
}

/// Returns the other attempts in order. They relax the corrected query if there is one.
fn attempts(
    reader: &Reader,
    request: &SearchRequest,
    (planned, corrected): (&PlannedSearch, Option<&PlannedSearch>),
) -> Vec<Attempt> {
    let (now, mut attempts) = (reader.now(), Vec::new());
    let (mut unfiltered, mut relaxed) = (request.clone(), Vec::new());
    let spelling = corrected.map(|_| Relaxation::Spelling);
    let planned = corrected.unwrap_or(planned);
    for (list, dropped) in filter_steps(&request.list) {
        (unfiltered, relaxed) = (SearchRequest { list, ..request.clone() }, dropped);
        let relaxed = spelling.into_iter().chain(relaxed.iter().copied()).collect();
        attempts.push(Attempt::planned(unfiltered.filter(now).and(planned.plan.filter()), relaxed, planned));
    }
    let filter = unfiltered.filter(now).and(planned.plan.excluding());
    for choices in choices(&planned.plan.wanted, reader.config.listing.relaxed_words) {
        let relaxed = spelling.into_iter().chain(relaxed.iter().copied()).chain([Relaxation::Words]).collect();
        attempts.push(Attempt::of_choices(choices, &filter, relaxed, planned));
    }
    if request.list.page == 1 {
        relaxed.push(Relaxation::Popular);
        let text = planned.plan.excluding_query();
        attempts.push(Attempt { text, ..Attempt::planned(filter, relaxed, planned) });
    }
    attempts
}

impl Attempt {
    fn planned(filter: Filter, relaxed: Vec<Relaxation>, planned: &PlannedSearch) -> Self {
        let text = Some(planned.plan.ranking_query());
        let strategy = MatchingStrategies::LAST;
        Self { relaxed, filter, text, is_anywhere: false, strategy, parts: Vec::new(), dropped: 0 }
    }

    /// Finds the videos of the filter that have all tokens of one of the choices.
    fn of_choices(
        choices: Vec<Vec<&Token>>,
        filter: &Filter,
        relaxed: Vec<Relaxation>,
        planned: &PlannedSearch,
    ) -> Self {
        let excluded = planned.plan.excluded.iter().map(|token| format!("-{}", token.text)).collect::<Vec<_>>();
        let part = |tokens: Vec<&Token>| {
            let text = tokens.iter().map(|token| token.text.as_str()).chain(excluded.iter().map(String::as_str));
            let all = Filter::all(tokens.iter().map(|token| token.filter()));
            (text.collect::<Vec<_>>().join(" "), filter.clone().and(all))
        };
        let content = planned.plan.tokens().count();
        let dropped = content - choices.first().map_or(content, Vec::len);
        Self { dropped, ..Self::of_parts(choices.into_iter().map(part).collect(), relaxed, planned) }
    }

    /// Finds the videos of the filter that have one of the words.
    fn of_words(words: Vec<(String, Filter)>, filter: &Filter, planned: &PlannedSearch) -> Self {
        let parts = words.into_iter().map(|(word, condition)| (word, filter.clone().and(condition)));
        Self::of_parts(parts.collect(), Vec::new(), planned)
    }

    fn of_parts(parts: Vec<(String, Filter)>, relaxed: Vec<Relaxation>, planned: &PlannedSearch) -> Self {
        let any = Filter::any(parts.iter().map(|(_, filter)| filter.clone()));
        // The rarer word weighs more.
        let text = Some(planned.plan.any_query());
        Self { parts, text, strategy: MatchingStrategies::FREQUENCY, ..Self::planned(any, relaxed, planned) }
    }

    /// Returns the queries that count the videos of each part.
    fn counts(&self) -> impl Iterator<Item = VideoQuery<'_>> {
        let filters = self.parts.iter().map(|(_, filter)| filter.clone());
        filters.map(|filter| VideoQuery { fields: &[], counts: &[], ..VideoQuery::new(filter) })
    }

    /// Returns the texts of the parts that have videos, given the totals that [`Self::counts`] yields.
    fn shown(&self, totals: &mut impl Iterator<Item = usize>) -> Vec<String> {
        let totals = self.parts.iter().zip(totals).filter(|(_, total)| *total > 0);
        totals.map(|((text, _), _)| text.clone()).collect()
    }

    fn query<'a>(
        &'a self,
        request: &SearchRequest,
        sort: &'a [&'static str],
        [own, all]: &'a [Vec<String>; 2],
    ) -> VideoQuery<'a> {
        let is_popular = self.relaxed.last() == Some(&Relaxation::Popular);
        let fields = if self.is_anywhere { all } else { own };
        let query = match &self.text {
            Some(text) => VideoQuery::matching(self.filter.clone(), text, fields),
            None => VideoQuery::new(self.filter.clone()),
        };
        VideoQuery {
            strategy: self.strategy.clone(),
            sort: if is_popular && sort.is_empty() { &POPULAR } else { sort },
            offset: request.list.offset(),
            limit: request.list.count as usize,
            counts: if is_popular { &[] } else { query.counts },
            ..query
        }
    }
}

/// Returns the query as the engine finds it in descriptions: each word as a phrase, so that neither typos nor beginnings match, in every
/// distinct language variant. Only the last word of a longer text may be incomplete. Exclusions apply to descriptions, too.
fn texts(query: &str, lang: Lang) -> Vec<String> {
    let words = text::plain_words(query);
    let is_open = |at: &Range<usize>| words.len() >= MIN_OPEN_WORDS && at.end == query.len();
    let words = words.iter().map(|word| match is_open(&word.at) {
        true => query[word.at.clone()].to_owned(),
        false => format!("\"{}\"", &query[word.at.clone()]),
    });
    let phrases = text::phrases(query).into_iter().map(str::to_owned);
    let exclusions = text::exclusions(query).into_iter().map(|(text, _)| format!("-{text}"));
    text::all_readings(&exclusions.chain(phrases).chain(words).collect::<Vec<_>>().join(" "), lang)
}

/// Returns the tokens that remain after dropping one word, then two, and so on: all choices, or only the first words of long queries. A name
/// is dropped only if every choice drops one.
fn choices(wanted: &[Token], most: usize) -> Vec<Vec<Vec<&Token>>> {
    let content: Vec<&Token> = wanted.iter().filter(|token| !token.is_optional).collect();
    let mut steps = Vec::new();
    for dropped in 1..=most.min(content.len().saturating_sub(1)) {
        let left = content.len() - dropped;
        if content.len() > MAX_CHOICE_WORDS {
            steps.push(vec![content[..left].to_vec()]);
            continue;
        }
        let all = combinations(&content, left);
        let names = |choice: &Vec<&Token>| choice.iter().filter(|token| token.is_name).count();
        let most_names = all.iter().map(names).max().unwrap_or_default();
        let (with_names, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|choice| names(choice) == most_names);
        steps.push(with_names);
        if !others.is_empty() {
            steps.push(others);
        }
    }
    steps
}

/// Returns all combinations of `count` tokens, in order.
fn combinations<'a>(tokens: &[&'a Token], count: usize) -> Vec<Vec<&'a Token>> {
    match (tokens, count) {
        (_, 0) => vec![Vec::new()],
        ([], _) => Vec::new(),
        ([first, rest @ ..], _) => {
            let with_first = combinations(rest, count - 1).into_iter().map(|mut others| {
                others.insert(0, *first);
                others
            });
            with_first.chain(combinations(rest, count)).collect()
        }
    }
}
