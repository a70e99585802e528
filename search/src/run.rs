//! Runs a search: the request that its plan makes, and the fallbacks if that finds nothing.

use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, settings, text};
use serde::de::IgnoredAny;

use super::{
    fallbacks,
    groups::{self, Groups},
    opened,
    outcome::Outcome,
    plan::{PlannedSearch, Planner},
    request::SearchRequest,
};
use crate::{
    clicks::Clicks,
    index::{self, Found, Hit, Reader, VideoDoc, VideoQuery, find_many},
    lexicon::Lexicon,
};

/// Returns the page of videos that the plan of a search finds.
pub async fn find_exact(reader: &Reader, lexicon: &Lexicon, request: &SearchRequest) -> ApiResult<Found<VideoDoc>> {
    if !request.has_words() {
        return Ok(Found::default());
    }
    let planned = PlannedSearch::new(&Planner::new(reader, lexicon).await?, reader, request);
    let found = find_many(&reader.search, &planned.page_queries()).await?;
    planned.page(reader, found).await
}

/// Returns the number of videos that each search finds. The searches differ only in their filters.
pub async fn totals(reader: &Reader, lexicon: &Lexicon, requests: &[SearchRequest]) -> ApiResult<Vec<usize>> {
    let Some(first) = requests.first().filter(|request| request.has_words()) else {
        return Ok(vec![0; requests.len()]);
    };
    let planned = PlannedSearch::new(&Planner::new(reader, lexicon).await?, reader, first);
    let now = reader.now();
    let queries: Vec<VideoQuery<'_>> =
        requests.iter().map(|request| planned.count_query(request.filter(now))).collect();
    Ok(find_many(&reader.search, &queries).await?.iter().map(|found| found.total).collect())
}

/// Returns the number of videos that match both the search and the filter `more`.
pub async fn count(reader: &Reader, lexicon: &Lexicon, request: &SearchRequest, more: &Filter) -> ApiResult<usize> {
    if !request.has_words() {
        return Ok(0);
    }
    let planned = PlannedSearch::new(&Planner::new(reader, lexicon).await?, reader, request);
    let query = planned.count_query(request.filter(reader.now()).and(more.clone()));
    Ok(index::find::<IgnoredAny>(reader, query).await?.total)
}

/// Runs a search, then promotes videos that visitors opened after it.
pub async fn run(reader: &Reader, lexicon: &Lexicon, clicks: &Clicks, request: &SearchRequest) -> ApiResult<Outcome> {
    let mut outcome = search(reader, lexicon, request).await?;
    opened::apply_boosts(clicks, request, &mut outcome);
    Ok(outcome)
}

/// Runs a search. A query without words, such as one that consists only of exclusions, shows the most watched videos.
async fn search(reader: &Reader, lexicon: &Lexicon, request: &SearchRequest) -> ApiResult<Outcome> {
    let planner = Planner::new(reader, lexicon).await?;
    let planned = PlannedSearch::new(&planner, reader, request);
    let outcome = Outcome { shown: vec![request.text.clone()], words: planned.plan.words(), ..Outcome::default() };
    if !request.has_words() {
        let groups = planned.is_first_page().then(Groups::default);
        return fallbacks::popular(reader, &planned, Outcome { groups, ..outcome }).await;
    }
    let other = |text: String| PlannedSearch::other(&planner, (reader, lexicon), request, &text);
    let rival = if planned.is_first_page() { planner.rival(&planned.plan).and_then(other) } else { None };
    let answers = ask(reader, request, &planned, rival.as_ref()).await?;
    let outcome = Outcome { hits: answers.found.total, found: answers.found, groups: answers.groups, ..outcome };
    if outcome.hits > 0 {
        let is_better = outcome.hits < reader.config.listing.few_hits && answers.rivals > outcome.hits;
        let did_you_mean = rival.filter(|_| is_better).map(|rival| rival.plan.text);
        let partial = fallbacks::partial(reader, request, (&planner, &planned), &outcome).await?;
        return Ok(Outcome { did_you_mean, partial, ..outcome });
    }
    let corrected = planner.correct(&planned.plan).and_then(other);
    fallbacks::run(reader, request, (&planned, corrected.as_ref()), outcome).await
}

/// Results of the one request of a search.
struct Answers {
    found: Found<VideoDoc>,
    /// Number of videos for the query with rare words replaced by frequent ones.
    rivals: usize,
    groups: Option<Groups>,
}

/// Sends the page of the plan, the count of its rival, and the groups if this is the first page, in one request.
async fn ask(
    reader: &Reader,
    request: &SearchRequest,
    planned: &PlannedSearch,
    rival: Option<&PlannedSearch>,
) -> ApiResult<Answers> {
    let titles = settings::searched(IndexName::Categories, Some(request.lang));
    let readings = text::readings(&request.text, request.lang);
    let names = planned.plan.name_query();
    let mut queries = planned.page_queries();
    let videos = queries.len();
    queries.extend(rival.map(PlannedSearch::total_query));
    if request.list.page == 1 {
        queries.extend(groups::queries(&reader.config, request.list.gender, (&names, &readings), &titles));
    }
    let mut found = find_many(&reader.search, &queries).await?.into_iter();
    let videos: Vec<Found<Hit>> = found.by_ref().take(videos).collect();
    let mut next = || found.next().unwrap_or_default();
    let rivals = rival.map(|_| next().total).unwrap_or_default();
    let groups = match request.list.page {
        1 => Some(groups::read(reader, request, [next(), next(), next(), next()]).await?),
        _ => None,
    };
    Ok(Answers { found: planned.page(reader, videos).await?, rivals, groups })
}
