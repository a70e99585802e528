//! Numbers of videos for each suggestion in the visitor's orientation, and pictures of models.

use std::collections::HashMap;

use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName, SearchClient, settings, text};

use super::{
    completions::{self, Candidate, TypedText},
    suggest::Suggestion,
};
use crate::index::{ModelDoc, VideoQuery, find_lists};
use lantern_media::pictures::picture;

/// Returns the known suggestions with their counts, then the `candidates` that have hits, all in one round trip.
/// Categories and models without videos of the orientation are dropped. A query without hits in the visitor's language
/// keeps its previous count, because a search for it finds videos through a fallback.
pub async fn count(
    search: &SearchClient,
    typed: &TypedText<'_>,
    known: Vec<Suggestion>,
    candidates: Vec<Candidate>,
    fields: &[String],
) -> ApiResult<(Vec<Suggestion>, Vec<Suggestion>)> {
    let own = settings::searched(IndexName::Videos, Some(typed.lang));
    let readings: Vec<String> = known.iter().map(|suggestion| text::query(&suggestion.title, typed.lang)).collect();
    let counts = known.iter().zip(&readings).map(|(suggestion, reading)| count_query(typed, suggestion, reading, &own));
    let models: Vec<&str> = known.iter().filter_map(model_dir).collect();
    let pictures = VideoQuery {
        index: IndexName::Models,
        limit: models.len(),
        fields: &["dir", "picture_key"],
        counts: &[],
        ..VideoQuery::new(Filter::in_("dir", models))
    };
    let queries = [vec![pictures], counts.collect(), completions::count_queries(typed, &candidates, fields)];
    let [mut pictures, counts, completed] = find_lists(search, queries).await?;
    let completed = completions::with_counts(search, typed, candidates, completed).await?;
    let counts = counts.into_iter().map(|found| found.total);
    let models = pictures.pop().unwrap_or_default().read::<ModelDoc>()?.hits;
    let pictures: HashMap<String, String> =
        models.into_iter().filter_map(|model| Some((model.dir, picture(Some(&model.picture_key?))))).collect();
    let with_count = |(mut suggestion, videos): (Suggestion, usize)| {
        suggestion.thumb = model_dir(&suggestion).and_then(|dir| pictures.get(dir)).cloned();
        if videos > 0 || suggestion.dir.is_some() {
            suggestion.total = i64::try_from(videos).unwrap_or(i64::MAX);
        }
        (suggestion.total > 0).then_some(suggestion)
    };
    Ok((known.into_iter().zip(counts).filter_map(with_count).collect(), completed))
}

/// Returns the model's name in URLs.
fn model_dir(suggestion: &Suggestion) -> Option<&str> {
    suggestion.dir.as_deref().filter(|_| suggestion.kind == "model")
}

fn count_query<'a>(
    typed: &TypedText<'_>,
    suggestion: &Suggestion,
    reading: &'a str,
    fields: &'a [String],
) -> VideoQuery<'a> {
    let filter = typed.filter();
    let of =
        |field, dir: &str| VideoQuery { counts: &[], ..VideoQuery::new(filter.clone().and(Filter::eq(field, dir))) };
    match (suggestion.kind.as_str(), &suggestion.dir) {
        ("category", Some(dir)) => of("category_dirs", dir),
        (_, Some(dir)) => of("model_dirs", dir),
        _ => VideoQuery { counts: &[], ..VideoQuery::matching(filter, reading, fields) },
    }
}
