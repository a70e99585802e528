//! How many videos a suggestion leads to, in the orientation of whoever types, and pictures of models.

use std::collections::HashMap;

use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, SearchClient, settings, text};

use super::{
    completions::{self, Candidate, TypedText},
    prepared::names,
    suggest::Suggestion,
};
use crate::index::{ModelDoc, VideoQuery, find_many, picture};

/// The suggestions with their counts; a category or model without a video of the orientation leads nowhere. A query that finds nothing in
/// the visitor's language is found in another way, so it keeps what its latest search found. Behind them those of `candidates` that find
/// something, by `search_on`; all in one round trip.
pub async fn count(
    search: &SearchClient,
    typed: &TypedText<'_>,
    known: Vec<Suggestion>,
    (candidates, search_on): (Vec<Candidate>, &[&str]),
) -> ApiResult<(Vec<Suggestion>, Vec<Suggestion>)> {
    let own = settings::searched(IndexName::Videos, Some(typed.lang));
    let own = names(&own);
    let readings: Vec<String> = known.iter().map(|suggestion| text::query(&suggestion.title, typed.lang)).collect();
    let counts = known.iter().zip(&readings).map(|(suggestion, reading)| query(typed, suggestion, reading, &own));
    let models: Vec<&str> = known.iter().filter_map(model).collect();
    let pictures = VideoQuery {
        index: IndexName::Models,
        limit: models.len(),
        fields: &["dir", "picture_key"],
        counts: &[],
        ..VideoQuery::new(Filter::in_("dir", models))
    };
    let queries: Vec<VideoQuery<'_>> =
        std::iter::once(pictures).chain(counts).chain(completions::counts(typed, &candidates, search_on)).collect();
    let mut found = find_many(search, &queries).await?;
    let completed = completions::counted(search, typed, candidates, found.split_off(1 + known.len())).await?;
    let counts: Vec<usize> = found.split_off(1).into_iter().map(|found| found.total).collect();
    let models = found.pop().unwrap_or_default().read::<ModelDoc>()?.hits;
    let pictures: HashMap<String, String> =
        models.into_iter().filter_map(|model| Some((model.dir, picture(Some(&model.picture_key?))))).collect();
    let counted = |(mut suggestion, videos): (Suggestion, usize)| {
        suggestion.thumb = model(&suggestion).and_then(|dir| pictures.get(dir)).cloned();
        if videos > 0 || suggestion.dir.is_some() {
            suggestion.total = i64::try_from(videos).unwrap_or(i64::MAX);
        }
        (suggestion.total > 0).then_some(suggestion)
    };
    Ok((known.into_iter().zip(counts).filter_map(counted).collect(), completed))
}

/// The name of a model in URLs.
fn model(suggestion: &Suggestion) -> Option<&str> {
    suggestion.dir.as_deref().filter(|_| suggestion.kind == "model")
}

fn query<'a>(
    typed: &TypedText<'_>,
    suggestion: &Suggestion,
    reading: &'a str,
    search_on: &'a [&'a str],
) -> VideoQuery<'a> {
    let filter = typed.filter();
    let of =
        |field, dir: &str| VideoQuery { counts: &[], ..VideoQuery::new(filter.clone().and(Filter::eq(field, dir))) };
    match (suggestion.kind.as_str(), &suggestion.dir) {
        ("category", Some(dir)) => of("category_dirs", dir),
        (_, Some(dir)) => of("model_dirs", dir),
        _ => VideoQuery { text: Some(reading), search_on, counts: &[], ..VideoQuery::new(filter) },
    }
}
