//! What a search shows whose plan finds nothing, or little: one more request with everything that may be shown instead, in order, or with
//! the videos that match fewer words.

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, settings, text};
use meilisearch_sdk::search::MatchingStrategies;

use crate::{
    index::{self, Found, Hit, Reader, VideoDoc, VideoQuery, find_many},
    outcome::{Outcome, Partial},
    plan::{POPULAR, PlannedSearch, Token},
    relax::{Relaxation, filter_steps},
    request::SearchRequest,
};

/// Maximum number of words for which every choice of words to drop is tried. Each choice is counted.
const MAX_CHOICE_WORDS: usize = 4;

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
}

/// Sends all attempts in one request and shows the first one that finds something. Orientation, type, models, privacy, mutes and exclusions
/// are never relaxed.
pub async fn run(
    reader: &Reader,
    request: &SearchRequest,
    planned: &PlannedSearch,
    mut outcome: Outcome,
) -> ApiResult<Outcome> {
    let attempts = attempts(reader, request, planned);
    let fields = [Some(request.lang), None].map(|lang| settings::searched(IndexName::Videos, lang));
    let sort = request.list.sort_keys().map(Vec::from).unwrap_or_default();
    let queries = attempts.iter().map(|attempt| attempt.query(request, &sort, &fields));
    let counts = attempts.iter().flat_map(Attempt::counts);
    let mut found = find_many(&reader.search, &queries.chain(counts).collect::<Vec<_>>()).await?;
    let mut counts = found.split_off(attempts.len()).into_iter().map(|found| found.total);
    for (attempt, mut found) in attempts.into_iter().zip(found) {
        let shown = attempt.shown(&mut counts);
        let is_popular = attempt.relaxed.last() == Some(&Relaxation::Popular);
        if found.total == 0 {
            if !is_popular {
                outcome.tried = attempt.relaxed;
            }
            continue;
        }
        if is_popular {
            found.total = found.hits.len();
        }
        return shown_instead(outcome, found, attempt.relaxed, shown);
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

/// Returns the videos that match all words but one, if the first page of a search has few results. They fill the page up, and are not
/// counted as results.
pub async fn partial(
    reader: &Reader,
    request: &SearchRequest,
    planned: &PlannedSearch,
    outcome: &Outcome,
) -> ApiResult<Option<Partial>> {
    let room = (request.list.count as usize).saturating_sub(outcome.hits);
    if outcome.hits >= reader.config.listing.few_hits || request.list.page > 1 || room == 0 {
        return Ok(None);
    }
    let Some(choices) = choices(&planned.plan.wanted, 1).into_iter().next() else { return Ok(None) };
    let others = request.filter(reader.now()).and(planned.plan.excluding()).and(planned.plan.filter().not());
    let attempt = Attempt::of_choices(choices, &others, Vec::new(), planned);
    let fields = [Some(request.lang), None].map(|lang| settings::searched(IndexName::Videos, lang));
    let sort = request.list.sort_keys().map(Vec::from).unwrap_or_default();
    let best = VideoQuery { counts: &[], exact: false, limit: room, ..attempt.query(request, &sort, &fields) };
    let mut found = find_many(&reader.search, &std::iter::once(best).chain(attempt.counts()).collect::<Vec<_>>()).await?;
    let counts = found.split_off(1);
    let videos = found.pop().unwrap_or_default().read()?.hits;
    Ok((!videos.is_empty()).then(|| Partial { shown: attempt.shown(&mut counts.into_iter().map(|found| found.total)), videos }))
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

/// Returns the attempts in order.
fn attempts(reader: &Reader, request: &SearchRequest, planned: &PlannedSearch) -> Vec<Attempt> {
    let now = reader.now();
    let mut attempts: Vec<Attempt> = texts(&request.text, request.lang)
        .into_iter()
        .map(|text| Attempt {
            relaxed: Vec::new(),
            filter: request.filter(now).and(planned.plan.excluding()),
            text: Some(text),
            is_anywhere: true,
            strategy: MatchingStrategies::ALL,
            parts: Vec::new(),
        })
        .collect();
    let (mut unfiltered, mut relaxed) = (request.clone(), Vec::new());
    for (list, dropped) in filter_steps(&request.list) {
        (unfiltered, relaxed) = (SearchRequest { list, ..request.clone() }, dropped);
        attempts.push(Attempt::planned(unfiltered.filter(now).and(planned.plan.filter()), relaxed.clone(), planned));
    }
    let filter = unfiltered.filter(now).and(planned.plan.excluding());
    relaxed.push(Relaxation::Words);
    for choices in choices(&planned.plan.wanted, reader.config.listing.relaxed_words) {
        attempts.push(Attempt::of_choices(choices, &filter, relaxed.clone(), planned));
    }
    if request.list.page == 1 {
        relaxed.pop();
        relaxed.push(Relaxation::Popular);
        let text = planned.plan.excluding_query();
        attempts.push(Attempt { text, ..Attempt::planned(filter, relaxed, planned) });
    }
    attempts
}

impl Attempt {
    fn planned(filter: Filter, relaxed: Vec<Relaxation>, planned: &PlannedSearch) -> Self {
        let text = Some(planned.plan.ranking_query());
        Self { relaxed, filter, text, is_anywhere: false, strategy: MatchingStrategies::LAST, parts: Vec::new() }
    }

    /// Finds the videos of the filter that have all tokens of one of the choices.
    fn of_choices(choices: Vec<Vec<&Token>>, filter: &Filter, relaxed: Vec<Relaxation>, planned: &PlannedSearch) -> Self {
        let part = |tokens: Vec<&Token>| {
            let text: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
            let all = Filter::all(tokens.iter().map(|token| token.filter()));
            (text.join(" "), filter.clone().and(all))
        };
        let parts: Vec<(String, Filter)> = choices.into_iter().map(part).collect();
        let any = Filter::any(parts.iter().map(|(_, filter)| filter.clone()));
        // The rarer word weighs more.
        Self { parts, strategy: MatchingStrategies::FREQUENCY, ..Self::planned(any, relaxed, planned) }
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
/// distinct language variant. Exclusions apply to descriptions, too.
fn texts(query: &str, lang: Lang) -> Vec<String> {
    let words = text::plain_words(query).into_iter().map(|word| format!("\"{}\"", &query[word.at]));
    let phrases = text::phrases(query).into_iter().map(str::to_owned);
    let exclusions = text::exclusions(query).into_iter().map(|(text, _)| format!("-{text}"));
    text::all_readings(&words.chain(phrases).chain(exclusions).collect::<Vec<_>>().join(" "), lang)
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
