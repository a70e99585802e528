//! `suggester/{lifetime}/{count}.json` (what is searched most) and `suggester.php?c=` (while typing).

use std::collections::HashSet;

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::changes::Object;
use lantern_catalog::changes::Shows;
use lantern_config::{Config, Lang, lifetimes};
use lantern_errors::ApiResult;
use lantern_http::{
    Client, Query, Segments, cost, has_words,
    openapi::{self, Doc, invalid, query, refusal, too_often},
};
use lantern_index::{
    Filter, IndexName, SearchClient, settings,
    text::{self, TermList},
};
use lantern_listing::{json_name, lifetime_of, number};
use lantern_ratelimit::Action;
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::{
    completions::{self, Best, TypedText},
    prepared::names,
    suggestion_counts,
};
use crate::{
    index::{self, Highlight, Reader, SuggestionDoc, VideoDoc, VideoQuery, clip_pictures, display, find_many},
    params,
    sources::Sources,
    state::AppState,
    text::highlight,
};

/// Suggestions under the search box when the client doesn't say.
const DEFAULT_COUNT: usize = 10;
/// Videos beside them: a list that fits above a phone's keyboard.
const VIDEOS: usize = 3;
/// Suggestions.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SuggestionsAnswer {
    /// Suggestions, the best first.
    suggestions: Vec<Suggestion>,
    /// The best videos for what is typed; while typing only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    videos: Vec<SuggestedVideo>,
}

/// A video that is found by what is typed so far.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestedVideo {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    video_id: i64,
    /// Name in URLs.
    #[schema(example = "night-market")]
    dir: String,
    /// Title as the visitor reads it.
    #[schema(example = "Night market")]
    title: String,
    /// Language of that title.
    #[schema(value_type = Lang, example = "en")]
    title_lang: &'static str,
    /// Picture, 320 pixels; empty while there is none.
    #[schema(example = "/media/p/demo/01/shot-1-320.webp")]
    thumb: String,
    /// The title with what is typed.
    #[serde(rename = "_formatted")]
    formatted: Highlight,
}

impl SuggestedVideo {
    fn new(video: &VideoDoc, typed: &TypedText<'_>) -> Self {
        let shown = video.shown_title(typed.lang);
        Self {
            video_id: video.id,
            dir: video.dir.clone(),
            title: shown.text.to_owned(),
            title_lang: shown.lang.as_str(),
            thumb: clip_pictures(video.media_key.as_deref(), video.shot).thumb,
            formatted: Highlight { title: highlight::html(shown.text, shown.lang, typed.text, typed.lang) },
        }
    }
}

impl Shows for SuggestionsAnswer {
    /// Names and counts only.
    fn shows(&self, _: &mut Vec<Object>) {}
}

/// A query, category or model.
#[derive(Debug, Serialize, ToSchema)]
pub struct Suggestion {
    /// Text to show.
    #[schema(example = "Night market")]
    pub title: String,
    /// `query`, `category` or `model`.
    #[serde(rename = "type")]
    #[schema(schema_with = kinds)]
    pub kind: String,
    /// Name in URLs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "travel", nullable = false)]
    pub dir: Option<String>,
    /// How many videos it leads to, of the orientation where one is named.
    #[schema(example = 42, minimum = 0)]
    pub total: i64,
    /// Picture of a model, 320 pixels; while typing only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "/media/p/demo/pictures/01-320.webp", nullable = false)]
    pub thumb: Option<String>,
    /// While typing only.
    #[serde(rename = "_formatted", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    formatted: Option<Highlight>,
}

/// What a suggestion can be.
fn kinds() -> utoipa::openapi::Schema {
    openapi::words("What it leads to.", ["query", "category", "model"])
}

impl Suggestion {
    /// A search that completes what is typed with a word of titles.
    pub fn of_titles(title: String, videos: usize) -> Self {
        let total = i64::try_from(videos).unwrap_or(i64::MAX);
        Self { title, kind: "query".to_owned(), dir: None, total, thumb: None, formatted: None }
    }

    fn new(doc: SuggestionDoc, lang: Lang) -> Self {
        Self {
            title: display(&doc.title, &doc.titles, lang).to_owned(),
            kind: doc.kind,
            dir: doc.dir,
            total: doc.total,
            thumb: None,
            formatted: None,
        }
    }
}

pub fn popular_doc(config: &Config) -> Doc {
    Doc::read("lists", "suggester", "/api/json/suggester/{lifetime}/{count}.json", "What is searched most now")
        .takes_all([params::lifetime(lifetimes::SUGGESTIONS), params::count(config), params::lang()])
        .answers::<SuggestionsAnswer>("Frequent searches in the language, most first.")
        .kept("public, max-age=43200, stale-while-revalidate=4320")
        .tagged()
        .refuses(invalid())
}

/// What is searched most now, in the visitor's language.
pub async fn popular(
    State(Sources { cache, reader, .. }): State<Sources>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::SUGGESTIONS)?;
    let count = number(json_name(&file)?, 1..=reader.config.listing.max_page_size)?;
    let lang = query.lang()?;
    let key = format!("suggester/{lifetime}/{count}?{lang}");
    let compute = async move {
        let found = frequent(&reader.search, lang, count as usize).await?;
        let suggestions = found.into_iter().map(|doc| Suggestion::new(doc, lang)).collect();
        Ok(SuggestionsAnswer { suggestions, videos: Vec::new() })
    };
    cache.respond(&key, lifetime, &headers, compute).await
}

/// The most frequent searches in a language.
pub async fn frequent(search: &SearchClient, lang: Lang, count: usize) -> ApiResult<Vec<SuggestionDoc>> {
    let index = search.index(IndexName::Suggestions.uid());
    let filter = Filter::eq("type", "query").and(Filter::eq("lang", lang.as_str())).to_string();
    let found = SearchQuery::new(&index)
        .with_filter(&filter)
        .with_sort(&["weight:desc", "id:asc"])
        .with_limit(count)
        .with_attributes_to_retrieve(Selectors::Some(SuggestionDoc::fields()))
        .build()
        .execute::<SuggestionDoc>()
        .await?;
    Ok(found.hits.into_iter().map(|hit| hit.result).collect())
}

pub fn complete_doc(config: &Config) -> Doc {
    let most = config.listing.max_page_size;
    let count = json!({ "type": "integer", "minimum": 1, "maximum": most, "default": 10 });
    Doc::new("search", "complete", "/api/suggester.php", "Completions of what is being typed")
        .about(
            "Queries in the language, categories and models in every one, found by prefix with typos forgiven; then queries that \
             complete the last word as titles do, with the number of videos they find. Beside them the best videos.",
        )
        .takes(params::text("c", "What is typed so far.", 1, config, "tra").required())
        .takes_all([params::lang(), params::counted_gender(), query("count", "Most suggestions.", count, 5)])
        .answers::<SuggestionsAnswer>("Suggestions, the best first.")
        .refuses(refusal(
            422,
            &[("required", "`c` is not there"), ("min_length", "`c` is blank"), ("max_length", "`c` is too long")],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

/// Completions of what is being typed: queries, categories and models.
pub async fn complete(State(state): State<AppState>, client: Client, query: Query) -> ApiResult<Response> {
    state.limits.check(Action::Suggest, client.key)?;
    let text = query.text("c", 1..=state.config.listing.search_max)?;
    let lang = query.lang()?;
    let most = state.config.listing.max_page_size as usize;
    let count = query.number("count", 1..=most)?.unwrap_or(DEFAULT_COUNT);
    // What is excluded needs no completion, and a minus begins no title.
    let text = text::wanted(&text);
    let typed = TypedText { text: &text, lang, gender: query.word("gender")? };
    let answer = match has_words(&text) {
        true => cost::paid(suggest(&state.reader, &state.prohibited, &typed, count)).await?,
        false => SuggestionsAnswer { suggestions: Vec::new(), videos: Vec::new() },
    };
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(answer)).into_response())
}

/// What is known of what is typed, where that is little what titles make of it, and the best videos.
async fn suggest(
    reader: &Reader,
    prohibited: &TermList,
    typed: &TypedText<'_>,
    count: usize,
) -> ApiResult<SuggestionsAnswer> {
    let (known, mut best) = known(reader, typed, count).await?;
    completions::own_first(&mut best.videos, typed);
    let mut candidates = completions::candidates(&reader.config, prohibited, typed, &best, &known);
    // A full list needs none of them, unless something of it leads nowhere.
    let waiting = if known.len() < count { Vec::new() } else { std::mem::take(&mut candidates) };
    let fields = names(&best.fields);
    let (mut suggestions, mut completed) =
        suggestion_counts::count(&reader.search, typed, known, (candidates, &fields)).await?;
    if suggestions.len() < count && !waiting.is_empty() {
        completed = suggestion_counts::count(&reader.search, typed, Vec::new(), (waiting, &fields)).await?.1;
    }
    let seen: HashSet<String> = suggestions.iter().map(|known| text::query(&known.title, typed.lang)).collect();
    completed.retain(|suggestion| !seen.contains(&text::query(&suggestion.title, typed.lang)));
    suggestions.extend(completed);
    suggestions.truncate(count);
    for suggestion in &mut suggestions {
        let title = highlight::html(&suggestion.title, typed.lang, typed.text, typed.lang);
        suggestion.formatted = Some(Highlight { title });
    }
    let may_be_suggested = |video: &&VideoDoc| !prohibited.found_in(video.shown_title(typed.lang).text);
    let videos = best.videos.iter().filter(may_be_suggested).take(VIDEOS);
    let videos = videos.map(|video| SuggestedVideo::new(video, typed)).collect();
    Ok(SuggestionsAnswer { suggestions, videos })
}

/// Suggestions that begin so, and the best videos, which are looked for at once.
async fn known(reader: &Reader, typed: &TypedText<'_>, count: usize) -> ApiResult<(Vec<Suggestion>, Best)> {
    let TypedText { text, lang, .. } = *typed;
    let [own, all] = [Some(lang), None].map(|lang| settings::searched(IndexName::Suggestions, lang));
    let (own, all, readings) = (names(&own), names(&all), text::readings(text, lang));
    let fields = settings::searched(IndexName::Videos, Some(lang));
    let searched = names(&fields);
    let queries = [query_known(&readings[0], &own, lang, count), completions::best(typed, &readings[0], &searched)];
    let mut found = find_many(&reader.search, &queries).await?;
    let videos = found.pop().unwrap_or_default().read::<VideoDoc>()?.hits;
    let mut known = found.pop().unwrap_or_default().read::<SuggestionDoc>()?.hits;
    for reading in &readings {
        if known.is_empty() {
            known = index::find(reader, query_known(reading, &all, lang, count)).await?.hits;
        }
    }
    let own = Best { videos, lang, fields };
    let best = match completions::completes(&own, typed) {
        true => own,
        false => completions::elsewhere(&reader.search, typed, own).await?,
    };
    Ok((known.into_iter().map(|doc| Suggestion::new(doc, lang)).collect(), best))
}

fn query_known<'a>(words: &'a str, search_on: &'a [&'a str], lang: Lang, count: usize) -> VideoQuery<'a> {
    // Categories and models speak every language, a query only its own.
    let filter = Filter::in_("type", ["category", "model"]).or(Filter::eq("lang", lang.as_str()));
    VideoQuery {
        index: IndexName::Suggestions,
        text: Some(words),
        limit: count,
        fields: SuggestionDoc::fields(),
        search_on,
        counts: &[],
        exact: false,
        ..VideoQuery::new(filter)
    }
}
