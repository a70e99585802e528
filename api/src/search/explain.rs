//! `GET /explain`, for operators: explains each video on a results page of a search.

use std::{hint::black_box, time::Instant};

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_errors::ApiResult;
use lantern_http::Query;
use lantern_index::{Filter, IndexName, SearchClient, settings, text};
use lantern_search::{
    index::{VideoDoc, VideoId, VideoQuery, detailed},
    opened,
    outcome::Outcome,
    plan::{PlannedSearch, Planner},
    request::SearchRequest,
    run::run,
};
use meilisearch_sdk::search::MatchingStrategies;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{
    existence::all_known,
    search::ask::{SearchAnswer, answer, read},
    state::AppState,
};

/// The response to a search with an explanation for each video.
#[derive(Debug, Serialize)]
struct Explanation {
    search: SearchAnswer,
    /// What each word of the query means.
    plan: String,
    /// Microseconds that the plan took.
    plan_us: u128,
    /// Microseconds that its corrections took, which are made only if nothing is found, and its rivals.
    correct_us: u128,
    /// Explanations in the order of the page.
    why: Vec<VideoExplanation>,
}

/// What determines a video's position.
#[derive(Debug, Serialize)]
struct VideoExplanation {
    #[serde(flatten)]
    found: Match,
    /// Number of places by which it moves up because visitors opened it after this search.
    places_by_clicks: f64,
}

/// How a search finds a video.
#[derive(Debug, Serialize)]
struct Match {
    video_id: i64,
    /// The query, or the part of it that was used.
    text: String,
    /// The query as sent to the engine.
    reading: String,
    /// The searched fields.
    fields: Vec<String>,
    /// Score details by ranking rule, in the order of the rules.
    rules: Map<String, Value>,
}

/// Returns a page of a search with explanations.
pub async fn explain(State(state): State<AppState>, query: Query) -> ApiResult<Response> {
    let request = read(&state.config, &query)?;
    all_known(&state.pool, &state.reader, &request.list.names).await?;
    let outcome = run(&state.reader, &state.lexicon, &state.clicks, &request).await?;
    let planner = Planner::new(&state.reader, &state.lexicon).await?;
    let mut found = Vec::new();
    for attempt in attempts(&state, &planner, &request, &outcome) {
        explain_missing(&state.reader.search, &request, &outcome, attempt, &mut found).await?;
    }
    let boosts = opened::boosts(&state.clicks, &request, &outcome);
    let of = |video: &VideoDoc| {
        let at = found.iter().position(|found| found.video_id == video.id)?;
        let places = boosts.iter().find(|(id, _)| *id == video.id).map(|(_, places)| *places);
        Some(VideoExplanation { found: found.swap_remove(at), places_by_clicks: places.unwrap_or_default() })
    };
    let why = outcome.found.hits.iter().filter_map(of).collect();
    let search = answer(&state.reader, &request, outcome).await?;
    let since = Instant::now();
    let plan = planner.plan(&request.text, request.lang);
    let plan_us = since.elapsed().as_micros();
    black_box((planner.correct(&plan), planner.rival(&plan)));
    let (correct_us, plan) = (since.elapsed().as_micros() - plan_us, plan.to_string());
    let explanation = Explanation { search, plan, plan_us, correct_us, why };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(explanation)).into_response())
}

/// A query for the engine, with its fields.
struct Attempt {
    text: String,
    reading: String,
    fields: Vec<String>,
    strategy: MatchingStrategies,
}

/// Returns the engine queries of a search in order: its plan, that of each query shown instead, and the words in every field.
fn attempts(state: &AppState, planner: &Planner, request: &SearchRequest, outcome: &Outcome) -> Vec<Attempt> {
    let planned = |text: &String| {
        let planned = PlannedSearch::new(planner, &state.reader, &request.with_text(text.clone()));
        Attempt {
            text: text.clone(),
            reading: planned.plan.ranking_query(),
            fields: planned.fields,
            strategy: MatchingStrategies::LAST,
        }
    };
    let anywhere = text::all_readings(&request.text, request.lang).into_iter().map(|reading| Attempt {
        text: request.text.clone(),
        reading,
        fields: settings::searched(IndexName::Videos, None),
        strategy: MatchingStrategies::ALL,
    });
    outcome.shown.iter().map(planned).chain(anywhere).collect()
}

/// Explains the videos on the page that this attempt finds but no earlier one found.
async fn explain_missing(
    search: &SearchClient,
    request: &SearchRequest,
    outcome: &Outcome,
    Attempt { text, reading, fields, strategy }: Attempt,
    found: &mut Vec<Match>,
) -> ApiResult<()> {
    let known = |id: &i64| found.iter().any(|found| found.video_id == *id);
    let missing: Vec<i64> = outcome.found.hits.iter().map(|video| video.id).filter(|id| !known(id)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let sort: Vec<&str> = request.list.sort_keys().map(Vec::from).unwrap_or_default();
    let rules = score_details(search, &missing, (&sort, strategy), &reading, &fields).await?;
    let by = |(video_id, rules)| Match {
        video_id,
        text: text.clone(),
        reading: reading.clone(),
        fields: fields.clone(),
        rules,
    };
    found.extend(rules.into_iter().map(by));
    Ok(())
}

/// Returns the engine's score details for those videos in `ids` that the query finds.
async fn score_details(
    search: &SearchClient,
    ids: &[i64],
    (sort, strategy): (&[&str], MatchingStrategies),
    reading: &str,
    fields: &[String],
) -> ApiResult<Vec<(i64, Map<String, Value>)>> {
    let query = VideoQuery {
        sort,
        strategy,
        limit: ids.len(),
        fields: &["id"],
        counts: &[],
        ..VideoQuery::matching(Filter::in_("id", ids.iter().copied()), reading, fields)
    };
    let found = detailed::<VideoId>(search, &query).await?;
    Ok(found.into_iter().map(|(VideoId { id }, rules)| (id, rules)).collect())
}
