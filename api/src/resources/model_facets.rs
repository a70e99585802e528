//! Counts beside a model list. The counts of a filter ignore that filter's own choice, so that they
//! say what choosing another value would show.

use std::collections::{BTreeMap, HashMap};

use lantern_config::{Gender, Lang, ModelFilter, labels};
use lantern_indexer::IndexName;
use meilisearch_sdk::search::{FacetStats, MultiSearchQuery, SearchQuery, Selectors};
use serde::{Serialize, de::IgnoredAny};

use crate::{
    error::ApiResult,
    extract::ModelFilters,
    index::{self, age_of},
    state::AppState,
};

/// A value of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FacetValue {
    /// The code that goes into the address.
    pub value: String,
    /// The code in the visitor's language.
    pub label: String,
    /// How many have it.
    pub total: usize,
}

/// Smallest and largest value there is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    /// Smallest.
    pub min: i64,
    /// Largest.
    pub max: i64,
}

type Facets = BTreeMap<&'static str, Vec<FacetValue>>;
type Stats = BTreeMap<&'static str, Bounds>;

/// Values with counts of every filter, and the bounds of the ranges.
///
/// # Errors
/// When the engine can't answer.
pub async fn facets(
    state: &AppState,
    gender: Gender,
    filters: &ModelFilters,
    lang: Lang,
) -> ApiResult<(Facets, Stats)> {
    let now = (state.now)();
    let chosen: Vec<ModelFilter> = filters.chosen().iter().map(|(filter, _)| *filter).collect();
    let free: Vec<ModelFilter> = ModelFilter::ALL.iter().copied().filter(|f| !chosen.contains(f)).collect();
    // One query for all filters nobody chose, and one for each that somebody did.
    let mut groups: Vec<(Option<ModelFilter>, Vec<&str>)> = vec![(None, names(&free))];
    groups.extend(chosen.iter().map(|filter| (Some(*filter), names(&[*filter]))));
    let conditions: Vec<String> =
        groups.iter().map(|(except, _)| index::model_filter(gender, filters, *except, now).to_string()).collect();
    let models = state.search.index(IndexName::Models.uid());
    let mut request = MultiSearchQuery::new(&state.search);
    for ((_, fields), condition) in groups.iter().zip(&conditions) {
        let query =
            SearchQuery::new(&models).with_filter(condition).with_limit(0).with_facets(Selectors::Some(fields)).build();
        request.with_search_query(query);
    }
    let (mut facets, mut stats) = (Facets::new(), Stats::new());
    for result in request.execute::<IgnoredAny>().await?.results {
        for (field, counts) in result.facet_distribution.unwrap_or_default() {
            if let Some(filter) = filter_of(&field) {
                facets.insert(filter.as_str(), values(filter, counts, lang, now));
            }
        }
        for (field, range) in result.facet_stats.unwrap_or_default() {
            if let Some(filter) = filter_of(&field) {
                stats.insert(filter.as_str(), bounds(filter, &range, now));
            }
        }
    }
    Ok((facets, stats))
}

/// Ages are stored as birth dates.
fn field_of(filter: ModelFilter) -> &'static str {
    match filter {
        ModelFilter::Age => "birth",
        other => other.as_str(),
    }
}

fn names(filters: &[ModelFilter]) -> Vec<&'static str> {
    filters.iter().map(|filter| field_of(*filter)).collect()
}

fn filter_of(field: &str) -> Option<ModelFilter> {
    ModelFilter::ALL.iter().copied().find(|filter| field_of(*filter) == field)
}

/// Codes most first; letters and numbers in their own order.
fn values(filter: ModelFilter, counts: HashMap<String, usize>, lang: Lang, now: i64) -> Vec<FacetValue> {
    let mut by_value: BTreeMap<String, usize> = BTreeMap::new();
    for (value, total) in counts {
        let value = match filter {
            ModelFilter::Age => value.parse().map_or(value, |birth: f64| age_of(birth as i64, now).to_string()),
            _ => value,
        };
        *by_value.entry(value).or_default() += total;
    }
    let mut values: Vec<FacetValue> = by_value
        .into_iter()
        .map(|(value, total)| FacetValue {
            label: labels::label(filter.as_str(), &value, lang).to_owned(),
            value,
            total,
        })
        .collect();
    match filter {
        ModelFilter::Alphabet => {}
        ModelFilter::Age | ModelFilter::Height | ModelFilter::Weight => {
            values.sort_by_key(|value| value.value.parse::<i64>().unwrap_or_default());
        }
        _ => values.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.value.cmp(&b.value))),
    }
    values
}

fn bounds(filter: ModelFilter, range: &FacetStats, now: i64) -> Bounds {
    let (min, max) = (range.min as i64, range.max as i64);
    if filter == ModelFilter::Age {
        // Who was born first is oldest.
        return Bounds { min: age_of(max, now), max: age_of(min, now) };
    }
    Bounds { min, max }
}
