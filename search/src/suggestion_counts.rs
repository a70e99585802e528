//! Numbers of videos for each suggestion in the visitor's orientation, and pictures and details of models.

use std::collections::HashMap;

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::{Filter, IndexName};
use lantern_media::pictures::picture;

use super::{completions::TypedText, suggest::Suggestion};
use crate::{
    index::{ModelDoc, Named, Reader, VideoQuery, age_of, details, find_lists},
    plan::{PlannedCount, Planner},
};

/// Returns the suggestions that have videos of the orientation, with their counts, in one round trip. A query has the count that a search
/// for it has, because both have the same plan.
pub async fn count(
    reader: &Reader,
    planner: &Planner,
    typed: &TypedText<'_>,
    suggestions: Vec<Suggestion>,
) -> ApiResult<Vec<Suggestion>> {
    let planned = suggestions.into_iter().map(|suggestion| (plan(planner, typed, &suggestion), suggestion)).collect();
    let (plans, suggestions): (Vec<_>, Vec<_>) = distinct(planned).into_iter().unzip();
    let counts = suggestions.iter().zip(&plans).map(|(suggestion, plan)| match plan {
        Some(plan) => plan.query(typed.filter()),
        None => object_query(typed, suggestion),
    });
    let models: Vec<&str> = suggestions.iter().filter_map(model_dir).collect();
    let pictures = VideoQuery {
        index: IndexName::Models,
        limit: models.len(),
        fields: &["dir", "picture_key", "country", "birth"],
        counts: &[],
        ..VideoQuery::new(Filter::in_("dir", models))
    };
    let [mut pictures, counts] = find_lists(&reader.search, [vec![pictures], counts.collect()]).await?;
    let models = pictures.pop().unwrap_or_default().read::<ModelDoc>()?.hits;
    let models: HashMap<String, ModelDoc> = models.into_iter().map(|model| (model.dir.clone(), model)).collect();
    let counted = suggestions.into_iter().zip(counts).map(|(mut suggestion, found)| {
        let model = model_dir(&suggestion).and_then(|dir| models.get(dir));
        suggestion.thumb = model.and_then(|model| model.picture_key.as_deref()).map(|key| picture(Some(key)));
        suggestion.total = i64::try_from(found.total).unwrap_or(i64::MAX);
        suggestion
    });
    let mut suggestions: Vec<Suggestion> = counted.filter(|suggestion| suggestion.total > 0).collect();
    tell_apart(&mut suggestions, &models, typed.lang, reader.now());
    Ok(suggestions)
}

/// Adds the details of suggested models that have the same name.
fn tell_apart(suggestions: &mut [Suggestion], models: &HashMap<String, ModelDoc>, lang: Lang, now: i64) {
    let suggested = suggestions.iter().filter_map(|suggestion| Some((suggestion, models.get(model_dir(suggestion)?)?)));
    let named: Vec<Named<'_>> = suggested
        .map(|(suggestion, model)| Named {
            title: &suggestion.title,
            dir: &model.dir,
            country: model.country.as_deref(),
            age: model.birth.map(|birth| age_of(birth, now)),
        })
        .collect();
    let dirs: Vec<String> = named.iter().map(|named| named.dir.to_owned()).collect();
    let mut details: HashMap<String, Option<String>> = dirs.into_iter().zip(details(&named, lang)).collect();
    for suggestion in suggestions {
        suggestion.detail = model_dir(suggestion).and_then(|dir| details.remove(dir)).flatten();
    }
}

/// Keeps one of several queries with the same plan, which are forms of the same words: the shortest, in the place of the first.
fn distinct(planned: Vec<(Option<PlannedCount>, Suggestion)>) -> Vec<(Option<PlannedCount>, Suggestion)> {
    let (mut places, mut kept) = (HashMap::new(), Vec::<(Option<PlannedCount>, Suggestion)>::new());
    for (plan, suggestion) in planned {
        let known = plan.as_ref().map(|plan| places.entry(plan.to_string()).or_insert(kept.len()));
        match known.and_then(|place| kept.get_mut(*place)) {
            Some(first) if suggestion.title.len() < first.1.title.len() => *first = (plan, suggestion),
            Some(_) => {}
            None => kept.push((plan, suggestion)),
        }
    }
    kept
}

/// Returns the model's name in URLs.
fn model_dir(suggestion: &Suggestion) -> Option<&str> {
    suggestion.dir.as_deref().filter(|_| suggestion.kind == "model")
}

/// Returns the plan of a suggested query, or `None` for a category or model.
fn plan(planner: &Planner, typed: &TypedText<'_>, suggestion: &Suggestion) -> Option<PlannedCount> {
    suggestion.dir.is_none().then(|| PlannedCount::new(planner.plan(&suggestion.title, typed.lang)))
}

/// Returns the query that counts the videos of a category or model.
fn object_query(typed: &TypedText<'_>, suggestion: &Suggestion) -> VideoQuery<'static> {
    let field = if suggestion.kind == "category" { "category_dirs" } else { "model_dirs" };
    let of = Filter::eq(field, suggestion.dir.as_deref().unwrap_or_default());
    VideoQuery { fields: &[], counts: &[], ..VideoQuery::new(typed.filter().and(of)) }
}
