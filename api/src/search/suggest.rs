//! `suggester/{lifetime}/{count}.json` (frequent searches) and `suggester.php?c=` (suggestions while typing).

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use lantern_config::{Config, Gender, lifetimes};
use lantern_errors::ApiResult;
use lantern_http::{
    Client, Query, Segments, cost,
    openapi::{Doc, invalid, query, refusal, too_often},
};
use lantern_index::text;
use lantern_listing::{json_name, lifetime_of, number};
use lantern_ratelimit::Action;
use lantern_search::{
    completions::TypedText,
    searches::Searches,
    suggest::{SuggestionsAnswer, suggest},
};
use serde_json::json;

use crate::{params, sources::Sources, state::AppState};

/// Default number of suggestions under the search box.
const DEFAULT_COUNT: usize = 10;
pub fn popular_doc(config: &Config) -> Doc {
    Doc::read("lists", "suggester", "/api/json/suggester/{lifetime}/{count}.json", "Most frequent searches")
        .takes_all([
            params::lifetime(lifetimes::SUGGESTIONS),
            params::count(config),
            params::lang(),
            params::counted_gender(),
        ])
        .answers::<SuggestionsAnswer>(
            "Frequent searches in the language, most frequent first. Each has its number of videos.",
        )
        .cache_control("public, max-age=43200, stale-while-revalidate=4320")
        .tagged()
        .refuses(invalid())
}

/// Returns the most frequent searches in the visitor's language.
pub async fn popular(
    State(Sources { cache, reader, .. }): State<Sources>,
    State(Searches { lexicon, .. }): State<Searches>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::SUGGESTIONS)?;
    let count = number(json_name(&file)?, 1..=reader.config.listing.max_page_size)?;
    let lang = query.lang()?;
    let gender = query.word::<Gender>("gender")?;
    let key = format!("suggester/{lifetime}/{count}?{lang}.{}", gender.map_or("", Gender::as_str));
    let compute = async move {
        let typed = TypedText { text: "", lang, gender };
        SuggestionsAnswer::frequent(&reader, &lexicon, &typed, count as usize).await
    };
    cache.respond(&key, lifetime, &headers, compute).await
}

pub fn complete_doc(config: &Config) -> Doc {
    let most = config.listing.max_page_size;
    let count = json!({ "type": "integer", "minimum": 1, "maximum": most, "default": 10 });
    Doc::new("search", "complete", "/api/suggester.php", "Complete the typed text")
        .about(
            "Returns queries in the language, and categories and models in any language, that match the prefix exactly or nearly; \
             then queries that complete the last word with a word of titles. Each has its number of videos. Also returns the best videos.",
        )
        .takes(params::text("c", "The text typed so far.", 1, config, "tra").required())
        .takes_all([params::lang(), params::counted_gender(), query("count", "Maximum number of suggestions.", count, 5)])
        .answers::<SuggestionsAnswer>("Suggestions, the best first.")
        .refuses(refusal(
            422,
            &[("required", "`c` is missing"), ("min_length", "`c` is blank"), ("max_length", "`c` is too long")],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

/// Returns suggestions for the typed text: queries, categories and models.
pub async fn complete(State(state): State<AppState>, client: Client, query: Query) -> ApiResult<Response> {
    state.limits.check(Action::Suggest, client.key)?;
    let text = query.text("c", 1..=state.config.listing.search_max)?;
    let lang = query.lang()?;
    let most = state.config.listing.max_page_size as usize;
    let count = query.number("count", 1..=most)?.unwrap_or(DEFAULT_COUNT);
    // Exclusions need no completion, no title begins with a minus sign, and an open quote is not yet a phrase.
    let text = text::unquoted(&text::wanted(&text));
    let typed = TypedText { text: &text, lang, gender: query.word("gender")? };
    let answer = match text::has_words(&text) {
        true => cost::paid(suggest(&state.reader, &state.lexicon, &typed, count)).await?,
        false => SuggestionsAnswer::none(),
    };
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(answer)).into_response())
}
