//! Models as values of a filter of videos: too many to be counted all at once, so their names are looked for first.

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, text};
use serde::de::IgnoredAny;

use super::people_facets::{FacetValue, MOST};
use crate::index::{self, Found, ModelDoc, Reader, VideoQuery};

/// Models of the videos that `filter` leaves, most first; with a text those who are called so, for which `gender` is their orientation.
pub async fn values(
    reader: &Reader,
    text: &str,
    gender: Option<Filter>,
    filter: Filter,
    lang: Lang,
) -> ApiResult<Vec<FacetValue>> {
    let called = if text.is_empty() { None } else { Some(called(reader, text, gender, lang).await?) };
    let filter = match &called {
        Some(dirs) => filter.and(Filter::in_("model_dirs", dirs.iter().map(String::as_str))),
        None => filter,
    };
    let query = VideoQuery { fields: &[], counts: &["model_dirs"], ..VideoQuery::new(filter) };
    let found: Found<IgnoredAny> = index::find(reader, query).await?;
    let mut counts = index::most_first(found.counts.get("model_dirs"), usize::MAX);
    // Whoever is in a video with them is counted, too.
    counts.retain(|(dir, _)| called.as_ref().is_none_or(|dirs| dirs.contains(dir)));
    counts.truncate(MOST);
    let named = index::with_names(&reader.model_names, counts).await?.into_iter();
    Ok(named.map(|one| FacetValue { value: one.of.dir, label: one.of.title, total: one.total_videos }).collect())
}

/// The best models for what is typed.
async fn called(reader: &Reader, text: &str, gender: Option<Filter>, lang: Lang) -> ApiResult<Vec<String>> {
    let words = text::query(text, lang);
    let with_videos = Filter::all(gender.into_iter().chain([Filter::gt("total_videos", 0)]));
    let query = VideoQuery {
        index: IndexName::Models,
        text: Some(&words),
        limit: MOST,
        fields: &["dir"],
        counts: &[],
        exact: false,
        ..VideoQuery::new(with_videos)
    };
    let found: Found<ModelDoc> = index::find(reader, query).await?;
    Ok(found.hits.into_iter().map(|model| model.dir).collect())
}
