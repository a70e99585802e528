//! Models as values of a video filter. There are too many models to count all at once, so their names are searched
//! first.

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, text};
use serde::de::IgnoredAny;

use super::people_facets::{FacetValue, MAX_VALUES};
use crate::index::{self, Found, ModelDoc, Reader, ValueCount, VideoQuery};

/// Returns the models in the videos that pass `filter`, highest count first. If a text is given, returns only models
/// with a matching name and the orientation `gender`.
pub async fn values(
    reader: &Reader,
    text: &str,
    gender: Option<Filter>,
    filter: Filter,
    lang: Lang,
) -> ApiResult<Vec<FacetValue>> {
    let matching = if text.is_empty() { None } else { Some(matching_models(reader, text, gender, lang).await?) };
    let filter = match &matching {
        Some(dirs) => filter.and(Filter::in_("model_dirs", dirs.iter().map(String::as_str))),
        None => filter,
    };
    let query = VideoQuery { fields: &[], counts: &["model_dirs"], ..VideoQuery::new(filter) };
    let found: Found<IgnoredAny> = index::find(reader, query).await?;
    let mut counts = index::most_first(found.counts.get("model_dirs"), usize::MAX);
    // The counts also include other models in the same videos.
    counts.retain(|(dir, _)| matching.as_ref().is_none_or(|dirs| dirs.contains(dir)));
    counts.truncate(MAX_VALUES);
    let named = index::with_names(reader, counts, lang).await?.into_iter();
    let value = |one: ValueCount| FacetValue {
        value: one.of.dir,
        label: one.of.title,
        detail: one.detail,
        total: one.total_videos,
    };
    Ok(named.map(value).collect())
}

/// Returns the models that match the typed text best.
async fn matching_models(reader: &Reader, text: &str, gender: Option<Filter>, lang: Lang) -> ApiResult<Vec<String>> {
    let words = text::query(text, lang);
    let with_videos = Filter::all(gender.into_iter().chain([Filter::gt("total_videos", 0)]));
    let query = VideoQuery {
        index: IndexName::Models,
        text: Some(&words),
        limit: MAX_VALUES,
        fields: &["dir"],
        counts: &[],
        exact: false,
        ..VideoQuery::new(with_videos)
    };
    let found: Found<ModelDoc> = index::find(reader, query).await?;
    Ok(found.hits.into_iter().map(|model| model.dir).collect())
}
