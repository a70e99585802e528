//! `GET /explain`, for operators: why each video of a search's page is there.

use std::collections::HashSet;

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_index::{Filter, IndexName, SearchClient, settings, text};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    ask::{SearchAnswer, answer, read},
    prepared::{first_fields, names},
    relax::Relaxation,
    request::SearchRequest,
    run::run,
};
use crate::{
    http::{ApiResult, Query},
    index::{VideoId, VideoQuery, detailed, video_sort},
    state::AppState,
};

/// The answer of a search, and where its videos come from.
#[derive(Debug, Serialize)]
struct Explanation {
    search: SearchAnswer,
    /// In the order of the page.
    why: Vec<Why>,
}

/// What ranks a video.
#[derive(Debug, Serialize)]
struct Why {
    video_id: i64,
    /// What was looked for: the search, or what is left of it.
    text: String,
    /// The words as the engine was asked for them.
    reading: String,
    /// The fields they were looked for in.
    fields: Vec<String>,
    /// What each rule of the engine says of the video, in the order of the rules.
    rules: Map<String, Value>,
}

pub async fn explain(State(state): State<AppState>, query: Query) -> ApiResult<Response> {
    let ask = read(&state.pool, &state.reader, &query).await?;
    let outcome = run(&state.reader, &state.lexicon, &state.clicks, &ask).await?;
    let ids: Vec<i64> = outcome.found.hits.iter().map(|video| video.id).collect();
    let sort: Vec<&str> = video_sort(&ask.list).map(Vec::from).unwrap_or_default();
    let all = settings::searched(IndexName::Videos, None);
    let mut why: Vec<Why> = Vec::new();
    // What means the same, or has one of the words, stands behind what was asked for.
    let is_behind = outcome.relaxed.contains(&Relaxation::Meaning) || outcome.hits > 0 && !outcome.relaxed.is_empty();
    let own_text = is_behind.then_some(&ask.text);
    for text in own_text.into_iter().chain(&outcome.shown) {
        let readings = text::all_readings(text, ask.lang);
        // As a search does it: in the visitor's language or the one it is written in, then each reading in every language.
        let (first, fields) = first_fields(&state.lexicon, &SearchRequest { text: text.clone(), ..ask.clone() });
        let ways = std::iter::once((&first, &fields.first)).chain(readings.iter().map(|reading| (reading, &all)));
        for (reading, fields) in ways {
            let known: HashSet<i64> = why.iter().map(|why| why.video_id).collect();
            let missing: Vec<i64> = ids.iter().copied().filter(|id| !known.contains(id)).collect();
            let found = rules(&state.reader.search, &missing, &sort, (reading, fields)).await?;
            let is_found = !found.is_empty() && own_text.is_none();
            why.extend(found.into_iter().map(|(video_id, rules)| Why {
                video_id,
                text: text.clone(),
                reading: reading.clone(),
                fields: fields.clone(),
                rules,
            }));
            if is_found {
                break;
            }
        }
    }
    why.sort_by_key(|why| ids.iter().position(|id| *id == why.video_id));
    let search = answer(&state.reader, &ask, outcome).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Explanation { search, why })).into_response())
}

/// What the engine says of those of `ids` that it finds.
async fn rules(
    search: &SearchClient,
    ids: &[i64],
    sort: &[&str],
    (reading, fields): (&str, &[String]),
) -> ApiResult<Vec<(i64, Map<String, Value>)>> {
    let search_on = names(fields);
    let query = VideoQuery {
        text: Some(reading),
        sort,
        limit: ids.len(),
        fields: &["id"],
        search_on: &search_on,
        counts: &[],
        ..VideoQuery::new(Filter::in_("id", ids.iter().copied()))
    };
    let found = detailed::<VideoId>(search, &query).await?;
    Ok(found.into_iter().map(|(VideoId { id }, rules)| (id, rules)).collect())
}
