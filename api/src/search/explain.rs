//! `GET /explain`, for operators: why each video of a search's page is there.

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
    index::{VideoDoc, VideoId, VideoQuery, detailed, video_sort},
    meaning::widen::MeantQueries,
    opened,
    outcome::Outcome,
    own_language,
    prepared::{first_fields, names},
    relax::Relaxation,
    request::SearchRequest,
    run::run,
};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::search::ask::{SearchAnswer, answer, read};
use crate::state::AppState;

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
    #[serde(flatten)]
    found: FoundBy,
    #[serde(flatten)]
    moved: Moved,
}

/// What moves it behind the engine's rules.
#[derive(Debug, Serialize)]
struct Moved {
    /// Whether it stands before others because the visitor reads its title, with every word, in the own language.
    own_language: bool,
    /// Places by which it moves up because visitors opened it after this search.
    places_by_clicks: f64,
}

/// How a search finds it.
#[derive(Debug, Serialize)]
struct FoundBy {
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
    let mut found = Vec::new();
    for way in ways(&state, &ask, &outcome) {
        find(&state.reader.search, &ask, &outcome, way, &mut found).await?;
    }
    let is_own = own_language::is_first(&ask, &outcome);
    let lifted = opened::lifted(&state.clicks, &ask, &outcome);
    let moved = |video: &VideoDoc| {
        let places = lifted.iter().find(|(id, _)| *id == video.id).map(|(_, places)| *places);
        Moved { own_language: is_own(video), places_by_clicks: places.unwrap_or_default() }
    };
    let of = |video: &VideoDoc| {
        let at = found.iter().position(|found| found.video_id == video.id)?;
        Some(Why { found: found.swap_remove(at), moved: moved(video) })
    };
    let why = outcome.found.hits.iter().filter_map(of).collect();
    let search = answer(&state.reader, &ask, outcome).await?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(Explanation { search, why })).into_response())
}

/// A text as it is looked for.
struct Way {
    text: String,
    reading: String,
    fields: Vec<String>,
    /// Whether what finds something ends the search for its text.
    is_only: bool,
}

/// How a search finds its videos: in the visitor's language or the one it is written in, then each reading in every language, for what was
/// asked or what is left of it; then in other words.
fn ways(state: &AppState, ask: &SearchRequest, outcome: &Outcome) -> Vec<Way> {
    let all = settings::searched(IndexName::Videos, None);
    // What means the same, or has one of the words, stands behind what was asked for.
    let is_behind = outcome.relaxed.contains(&Relaxation::Meaning) || outcome.hits > 0 && !outcome.relaxed.is_empty();
    let own_text = is_behind.then_some(&ask.text);
    let mut ways = Vec::new();
    for text in own_text.into_iter().chain(&outcome.shown) {
        let (reading, fields) = first_fields(&state.lexicon, &SearchRequest { text: text.clone(), ..ask.clone() });
        let first = std::iter::once((reading, fields.first));
        let others = text::all_readings(text, ask.lang).into_iter().map(|reading| (reading, all.clone()));
        let way = |(reading, fields)| Way { text: text.clone(), reading, fields, is_only: own_text.is_none() };
        ways.extend(first.chain(others).map(way));
    }
    let lang = first_fields(&state.lexicon, ask).1.lang;
    let meant = MeantQueries::of(&state.lexicon, &state.reader, ask, lang);
    let way = |(text, reading): (&String, &String)| Way {
        text: text.clone(),
        reading: reading.clone(),
        fields: all.clone(),
        is_only: false,
    };
    ways.extend(meant.readings(ask).map(way));
    ways
}

/// What a way finds of the page that no other found before.
async fn find(
    search: &SearchClient,
    ask: &SearchRequest,
    outcome: &Outcome,
    Way { text, reading, fields, is_only }: Way,
    found: &mut Vec<FoundBy>,
) -> ApiResult<()> {
    let known = |id: &i64| found.iter().any(|found| found.video_id == *id);
    let missing: Vec<i64> = outcome.found.hits.iter().map(|video| video.id).filter(|id| !known(id)).collect();
    if missing.is_empty() || is_only && found.iter().any(|found| found.text == text) {
        return Ok(());
    }
    let sort: Vec<&str> = video_sort(&ask.list).map(Vec::from).unwrap_or_default();
    let rules = rules(search, &missing, &sort, (&reading, &fields)).await?;
    let by = |(video_id, rules)| FoundBy {
        video_id,
        text: text.clone(),
        reading: reading.clone(),
        fields: fields.clone(),
        rules,
    };
    found.extend(rules.into_iter().map(by));
    Ok(())
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
