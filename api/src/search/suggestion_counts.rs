//! How many videos a suggestion leads to, in the orientation of whoever types.

use lantern_index::{Filter, IndexName, settings, text};

use super::{completions::Typed, run::names, suggest::Suggestion};
use crate::{
    http::error::ApiResult,
    index::{VideoQuery, find_many},
    state::AppState,
};

/// The suggestions with their counts; a category or model without a video of the orientation leads nowhere. A query that finds nothing in
/// the visitor's language is found in another way, so it keeps what its latest search found.
pub async fn count(state: &AppState, typed: &Typed<'_>, known: Vec<Suggestion>) -> ApiResult<Vec<Suggestion>> {
    let fields = settings::searched(IndexName::Videos, Some(typed.lang));
    let fields = names(&fields);
    let readings: Vec<String> = known.iter().map(|suggestion| text::query(&suggestion.title, typed.lang)).collect();
    let queries: Vec<VideoQuery<'_>> =
        known.iter().zip(&readings).map(|(suggestion, reading)| query(typed, suggestion, reading, &fields)).collect();
    let counts = find_many(state, &queries).await?.into_iter().map(|found| found.total);
    let counted = |(mut suggestion, videos): (Suggestion, usize)| {
        if videos > 0 || suggestion.dir.is_some() {
            suggestion.total = i64::try_from(videos).unwrap_or(i64::MAX);
        }
        (suggestion.total > 0).then_some(suggestion)
    };
    Ok(known.into_iter().zip(counts).filter_map(counted).collect())
}

fn query<'a>(typed: &Typed<'_>, suggestion: &Suggestion, reading: &'a str, search_on: &'a [&'a str]) -> VideoQuery<'a> {
    let filter = Filter::all(typed.gender.map(|gender| Filter::eq("gender", gender.as_str())));
    let of =
        |field, dir: &str| VideoQuery { counts: &[], ..VideoQuery::new(filter.clone().and(Filter::eq(field, dir))) };
    match (suggestion.kind.as_str(), &suggestion.dir) {
        ("category", Some(dir)) => of("category_dirs", dir),
        (_, Some(dir)) => of("model_dirs", dir),
        _ => VideoQuery { text: Some(reading), search_on, counts: &[], ..VideoQuery::new(filter) },
    }
}
