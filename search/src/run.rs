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
    relax::Relaxation,
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
    let corrected = planner.correct(&planned.plan).and_then(other);
    let rival = if planned.is_first_page() { planner.rival(&planned.plan).and_then(other) } else { None };
    let answers = ask(reader, request, [Some(&planned), corrected.as_ref(), rival.as_ref()]).await?;
    let outcome = Outcome { hits: answers.found.total, found: answers.found, groups: answers.groups, ..outcome };
    if outcome.hits > 0 {
        let is_better = outcome.hits < reader.config.listing.few_hits && answers.rivals > outcome.hits;
        let did_you_mean = rival.filter(|_| is_better).map(|rival| rival.plan.text);
        let partial = fallbacks::partial(reader, request, &planned, &outcome).await?;
        return Ok(Outcome { did_you_mean, partial, ..outcome });
    }
    match corrected {
        Some(corrected) if answers.corrections.total > 0 => Ok(Outcome {
            words: corrected.plan.words(),
            shown: vec![corrected.plan.text],
            relaxed: vec![Relaxation::Spelling],
            found: answers.corrections,
            ..outcome
        }),
        _ => fallbacks::run(reader, request, &planned, outcome).await,
    }
}

/// Results of the one request of a search.
struct Answers {
    found: Found<VideoDoc>,
    corrections: Found<VideoDoc>,
    /// Number of videos for the query with rare words replaced by frequent ones.
    rivals: usize,
    groups: Option<Groups>,
}

/// Sends the page of the plan and of its correction, the count of its rival, and the groups if this is the first page, in one request.
async fn ask(
    reader: &Reader,
    request: &SearchRequest,
    [planned, corrected, rival]: [Option<&PlannedSearch>; 3],
) -> ApiResult<Answers> {
    let titles = settings::searched(IndexName::Categories, Some(request.lang));
    let readings = text::readings(&request.text, request.lang);
    let names = planned.map(|planned| planned.plan.name_query()).unwrap_or_default();
    let pages = [planned, corrected].map(|search| search.map(PlannedSearch::page_queries).unwrap_or_default());
    let lists = pages.iter().map(Vec::len).collect::<Vec<_>>();
    let mut queries: Vec<VideoQuery<'_>> = pages.into_iter().flatten().collect();
    queries.extend(rival.map(PlannedSearch::total_query));
    if request.list.page == 1 {
        queries.extend(groups::queries(&reader.config, request.list.gender, (&names, &readings), &titles));
    }
    let mut found = find_many(&reader.search, &queries).await?.into_iter();
    let mut results = lists.into_iter().map(|count| found.by_ref().take(count).collect::<Vec<Found<Hit>>>());
    let [videos, corrections] = [results.next(), results.next()].map(Option::unwrap_or_default);
    let mut next = || found.next().unwrap_or_default();
    let rivals = rival.map(|_| next().total).unwrap_or_default();
    let groups = match request.list.page {
        1 => Some(groups::read(reader, request, [next(), next(), next(), next()]).await?),
        _ => None,
    };
    let page = async |planned: Option<&PlannedSearch>, found| match planned {
        Some(planned) => planned.page(reader, found).await,
        None => Ok(Found::default()),
    };
    let (found, corrections) = (page(planned, videos).await?, page(corrected, corrections).await?);
    Ok(Answers { found, corrections, rivals, groups })
}
