//! Suggestions while a visitor is typing, and the most frequent searches.

use std::cmp::Reverse;

use lantern_catalog::{
    changes::{LIST, Object, Shows},
    outbox::Entity,
};
use lantern_config::{Lang, schemas};
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, SearchClient, settings, text};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    completions::{self, TypedText},
    highlight,
    index::{Found, Highlight, Hit, Reader, SuggestionDoc, VideoDoc, VideoQuery, clip_pictures, display, find_lists},
    lexicon::Lexicon,
    plan::{PlannedCount, Planner},
    suggestion_counts,
};

/// Number of videos below the suggestions, chosen so that the list fits above a phone's keyboard.
const VIDEOS: usize = 3;
/// Number of the best videos among which titles in the visitor's language come first.
const MAX_BEST: usize = 20;

/// Suggestions.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestionsAnswer {
    /// Suggestions, the best first.
    suggestions: Vec<Suggestion>,
    /// The best videos for the typed text; only while typing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    videos: Vec<SuggestedVideo>,
}

/// A video that matches the typed text.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestedVideo {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    video_id: i64,
    /// Name in URLs.
    #[schema(example = "night-market")]
    dir: String,
    /// Title in the visitor's language if it has one, else in its own.
    #[schema(example = "Night market")]
    title: String,
    /// Language of that title.
    #[schema(value_type = Lang, example = "en")]
    title_lang: &'static str,
    /// Picture, 320 pixels; empty if there is none.
    #[schema(example = "/media/p/demo/01/shot-1-320.webp")]
    thumb: String,
    /// The title with matches marked.
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

impl SuggestionsAnswer {
    /// Returns the most frequent searches in the visitor's language that have videos of the orientation, with their numbers.
    pub async fn frequent(reader: &Reader, lexicon: &Lexicon, typed: &TypedText<'_>, count: usize) -> ApiResult<Self> {
        let found = frequent(&reader.search, typed.lang, count).await?;
        let suggestions = found.into_iter().map(|doc| Suggestion::new(doc, typed.lang)).collect();
        let planner = Planner::new(reader, lexicon).await?;
        let suggestions = suggestion_counts::count(reader, &planner, typed, suggestions).await?;
        Ok(Self { suggestions, videos: Vec::new() })
    }

    /// Returns no suggestions.
    pub const fn none() -> Self {
        Self { suggestions: Vec::new(), videos: Vec::new() }
    }
}

impl Shows for SuggestionsAnswer {
    /// Adds no single object, because suggestions contain only names and counts, which depend on all videos.
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::Video, LIST));
    }
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
    /// Number of videos that it finds, of the requested orientation if there is one.
    #[schema(example = 42, minimum = 0)]
    pub total: i64,
    /// What tells a model apart from others of this name among the suggestions; only while typing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Japan, 27", nullable = false)]
    pub detail: Option<String>,
    /// Picture of a model, 320 pixels; only while typing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "/media/p/demo/pictures/01-320.webp", nullable = false)]
    pub thumb: Option<String>,
    /// Whether it was made by completing the typed text.
    #[serde(skip)]
    is_completion: bool,
    /// The title with matches marked; only while typing.
    #[serde(rename = "_formatted", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    formatted: Option<Highlight>,
}

/// Schema of the kinds of suggestions.
fn kinds() -> utoipa::openapi::Schema {
    schemas::words("Kind of suggestion.", ["query", "category", "model"])
}

impl Suggestion {
    /// Creates a query that completes the typed text with a word from titles.
    fn of_titles(title: String) -> Self {
        Self {
            title,
            kind: "query".to_owned(),
            dir: None,
            total: 0,
            detail: None,
            thumb: None,
            is_completion: true,
            formatted: None,
        }
    }

    fn new(doc: SuggestionDoc, lang: Lang) -> Self {
        Self {
            title: display(&doc.title, &doc.titles, lang).to_owned(),
            kind: doc.kind,
            dir: doc.dir,
            total: doc.total,
            detail: None,
            thumb: None,
            is_completion: false,
            formatted: None,
        }
    }
}

/// Searches the index for the most frequent searches in a language.
async fn frequent(search: &SearchClient, lang: Lang, count: usize) -> ApiResult<Vec<SuggestionDoc>> {
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

/// Returns known suggestions, fills them up with completions from words in titles, and adds the best videos.
pub async fn suggest(
    reader: &Reader,
    lexicon: &Lexicon,
    typed: &TypedText<'_>,
    count: usize,
) -> ApiResult<SuggestionsAnswer> {
    let prohibited = &lexicon.prohibited;
    let planner = Planner::new(reader, lexicon).await?;
    let (mut suggestions, videos) = known_and_best(reader, &planner, typed, count).await?;
    let is_permitted =
        |text: &String| text.chars().count() <= reader.config.listing.search_max && !prohibited.found_in(text);
    let completions = completions::complete(&planner, typed).into_iter().filter(is_permitted);
    suggestions.extend(completions.map(Suggestion::of_titles));
    let mut suggestions = suggestion_counts::count(reader, &planner, typed, suggestions).await?;
    suggestions.sort_by_key(|one| (one.is_completion, Reverse(if one.is_completion { one.total } else { 0 })));
    suggestions.truncate(count);
    for suggestion in &mut suggestions {
        let title = highlight::html(&suggestion.title, typed.lang, typed.text, typed.lang);
        suggestion.formatted = Some(Highlight { title });
    }
    let may_be_suggested = |video: &&VideoDoc| !prohibited.found_in(video.shown_title(typed.lang).text);
    let videos = videos.iter().filter(may_be_suggested).take(VIDEOS);
    let videos = videos.map(|video| SuggestedVideo::new(video, typed)).collect();
    Ok(SuggestionsAnswer { suggestions, videos })
}

/// Searches for suggestions with this prefix, first in the visitor's language, then in every language, and for the best videos, in one round
/// trip.
async fn known_and_best(
    reader: &Reader,
    planner: &Planner,
    typed: &TypedText<'_>,
    count: usize,
) -> ApiResult<(Vec<Suggestion>, Vec<VideoDoc>)> {
    let TypedText { text, lang, .. } = *typed;
    let suggested = [Some(lang), None].map(|lang| settings::searched(IndexName::Suggestions, lang));
    let planned = PlannedCount::new(planner.plan_typed(text, lang));
    let readings = text::readings(text, lang);
    let known = readings.iter().map(|reading| known_query(reading, &suggested[1], lang, count));
    let known = std::iter::once(known_query(&readings[0], &suggested[0], lang, count)).chain(known);
    let fields = &["id", "dir", "lang", "title", "titles", "media_key", "shot"];
    let best = VideoQuery { limit: MAX_BEST, fields, ..planned.best_query(typed.filter()) };
    let queries: [Vec<VideoQuery<'_>>; 2] = [known.collect(), vec![best]];
    let [known, best] = find_lists(&reader.search, queries).await?;
    let first = |found: Vec<Found<Hit>>| found.into_iter().find(|found| !found.hits.is_empty()).unwrap_or_default();
    let known = first(known).read::<SuggestionDoc>()?.hits.into_iter().map(|doc| Suggestion::new(doc, lang)).collect();
    let mut best = first(best).read::<VideoDoc>()?.hits;
    best.sort_by_key(|video| video.shown_title(lang).lang != lang);
    Ok((known, best))
}

fn known_query<'a>(words: &'a str, fields: &'a [String], lang: Lang, count: usize) -> VideoQuery<'a> {
    // Categories and models have titles in every language, but a query has only one language.
    let filter = Filter::in_("type", ["category", "model"]).or(Filter::eq("lang", lang.as_str()));
    VideoQuery {
        index: IndexName::Suggestions,
        limit: count,
        fields: SuggestionDoc::fields(),
        counts: &[],
        exact: false,
        ..VideoQuery::matching(filter, words, fields)
    }
}
