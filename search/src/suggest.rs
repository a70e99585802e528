//! Suggestions while a visitor is typing, and the most frequent searches.

use std::collections::HashSet;

use lantern_catalog::changes::{Object, Shows};
use lantern_config::{Lang, schemas};
use lantern_errors::ApiResult;
use lantern_index::{
    Filter, IndexName, SearchClient, settings,
    text::{self, TermList},
};
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    completions::{self, BestVideos, TypedText},
    highlight,
    index::{self, Highlight, Reader, SuggestionDoc, VideoDoc, VideoQuery, clip_pictures, display, find_many},
    suggestion_counts,
};

/// Number of videos below the suggestions, chosen so that the list fits above a phone's keyboard.
const VIDEOS: usize = 3;
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
    /// Returns the most frequent searches in a language.
    pub async fn frequent(search: &SearchClient, lang: Lang, count: usize) -> ApiResult<Self> {
        let found = frequent(search, lang, count).await?;
        Ok(Self { suggestions: found.into_iter().map(|doc| Suggestion::new(doc, lang)).collect(), videos: Vec::new() })
    }

    /// Returns no suggestions.
    pub const fn none() -> Self {
        Self { suggestions: Vec::new(), videos: Vec::new() }
    }
}

impl Shows for SuggestionsAnswer {
    /// Adds nothing, because suggestions contain only names and counts.
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
    /// Number of videos it leads to, of the requested orientation if there is one.
    #[schema(example = 42, minimum = 0)]
    pub total: i64,
    /// Picture of a model, 320 pixels; only while typing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "/media/p/demo/pictures/01-320.webp", nullable = false)]
    pub thumb: Option<String>,
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
    prohibited: &TermList,
    typed: &TypedText<'_>,
    count: usize,
) -> ApiResult<SuggestionsAnswer> {
    let (known, mut best) = known_and_best(reader, typed, count).await?;
    completions::own_language_first(&mut best.videos, typed);
    let mut candidates = completions::candidates(&reader.config, prohibited, typed, &best, &known);
    // A full list needs no completions, unless some of its suggestions turn out to have no videos.
    let waiting = if known.len() < count { Vec::new() } else { std::mem::take(&mut candidates) };
    let search = &reader.search;
    let (mut suggestions, mut completed) =
        suggestion_counts::count(search, typed, known, candidates, &best.fields).await?;
    if suggestions.len() < count && !waiting.is_empty() {
        completed = suggestion_counts::count(search, typed, Vec::new(), waiting, &best.fields).await?.1;
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

/// Searches for suggestions with this prefix and for the best videos, in one round trip.
async fn known_and_best(
    reader: &Reader,
    typed: &TypedText<'_>,
    count: usize,
) -> ApiResult<(Vec<Suggestion>, BestVideos)> {
    let TypedText { text, lang, .. } = *typed;
    let [own, all] = [Some(lang), None].map(|lang| settings::searched(IndexName::Suggestions, lang));
    let readings = text::readings(text, lang);
    let fields = settings::searched(IndexName::Videos, Some(lang));
    let queries = [known_query(&readings[0], &own, lang, count), completions::best_query(typed, &readings[0], &fields)];
    let mut found = find_many(&reader.search, &queries).await?;
    let videos = found.pop().unwrap_or_default().read::<VideoDoc>()?.hits;
    let mut known = found.pop().unwrap_or_default().read::<SuggestionDoc>()?.hits;
    for reading in &readings {
        if known.is_empty() {
            known = index::find(reader, known_query(reading, &all, lang, count)).await?.hits;
        }
    }
    let own = BestVideos { videos, lang, fields };
    let best = match completions::completes(&own, typed) {
        true => own,
        false => completions::in_any_language(&reader.search, typed, own).await?,
    };
    Ok((known.into_iter().map(|doc| Suggestion::new(doc, lang)).collect(), best))
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
