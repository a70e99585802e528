//! Facets for a list of models or members. The counts for a filter ignore the value chosen in that filter, so that they
//! show what another value would yield.

use std::collections::{BTreeMap, HashMap};

use lantern_config::{Lang, labels};
use lantern_errors::ApiResult;
use lantern_index::Filter;
use lantern_listing::{FilterWord, Filters, Kind, age_window};
use meilisearch_sdk::search::{FacetStats, MultiSearchQuery, SearchQuery, Selectors};
use serde::{Serialize, de::IgnoredAny};
use utoipa::ToSchema;

use crate::index::{Reader, age_of};

/// Maximum number of values in one response. A more specific text finds the others.
pub const MAX_VALUES: usize = 100;

/// A value of a filter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FacetValue {
    /// Code for addresses.
    #[schema(example = "asian")]
    pub value: String,
    /// Label in the visitor's language.
    #[schema(example = "Asian")]
    pub label: String,
    /// What tells a model apart from others of this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "Japan, 27", nullable = false)]
    pub detail: Option<String>,
    /// Number of results with this value.
    #[schema(example = 42, minimum = 0)]
    pub total: usize,
}

/// Smallest and largest value in use.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct Bounds {
    /// Smallest.
    #[schema(example = 18)]
    pub min: i64,
    /// Largest.
    #[schema(example = 64)]
    pub max: i64,
}

/// Values with counts, for each filter.
pub type Facets = BTreeMap<&'static str, Vec<FacetValue>>;
/// Bounds, for each filter that takes a range.
pub type Stats = BTreeMap<&'static str, Bounds>;

struct FacetQuery<'a, F> {
    reader: &'a Reader,
    within: Filter,
    filters: &'a Filters<F>,
    lang: Lang,
    now: i64,
}

/// Returns the values and counts of every filter and the bounds of range filters, for the people `within` a list.
pub async fn facets<F: FilterWord>(
    reader: &Reader,
    within: Filter,
    filters: &Filters<F>,
    lang: Lang,
) -> ApiResult<(Facets, Stats)> {
    FacetQuery { reader, within, filters, lang, now: reader.now() }.facets().await
}

impl<F: FilterWord> FacetQuery<'_, F> {
    async fn facets(&self) -> ApiResult<(Facets, Stats)> {
        let chosen: Vec<F> = self.filters.chosen().iter().map(|(filter, _)| *filter).collect();
        let counted = |filter: &&F| filter.kind() != Kind::Object;
        let free = F::ALL.iter().filter(counted).filter(|filter| !chosen.contains(filter)).map(|f| f.field()).collect();
        // One query serves all unused filters, and each filter in use needs a separate query.
        let mut groups: Vec<(Filter, Vec<&str>)> = vec![(self.condition(None), free)];
        groups
            .extend(chosen.iter().filter(counted).map(|filter| (self.condition(Some(*filter)), vec![filter.field()])));
        let (mut facets, mut stats) = (Facets::new(), Stats::new());
        for result in self.count(&groups).await? {
            for (field, range) in result.facet_stats.unwrap_or_default() {
                if let Some(filter) = filter_by_field::<F>(&field) {
                    stats.insert(filter.as_str(), bounds(filter, &range, self.now));
                }
            }
            for (field, counts) in result.facet_distribution.unwrap_or_default() {
                let Some(filter) = filter_by_field::<F>(&field) else { continue };
                let is_truncated =
                    filter.field() == "birth" && counts.len() >= self.reader.config.listing.max_facet_values;
                let values = match stats.get(filter.as_str()) {
                    // There are more birth dates than a facet may list, so count each age with a separate query.
                    Some(bounds) if is_truncated => self.ages(filter, *bounds).await?,
                    _ => values(filter, counts, self.lang, self.now),
                };
                facets.insert(filter.as_str(), values);
            }
        }
        Ok((facets, stats))
    }

    fn condition(&self, except: Option<F>) -> Filter {
        self.filters.filter(self.within.clone(), except, self.now)
    }

    async fn count(&self, groups: &[(Filter, Vec<&str>)]) -> ApiResult<Vec<Counts>> {
        let people = self.reader.search.index(F::INDEX.uid());
        let conditions: Vec<Option<String>> = groups.iter().map(|(condition, _)| condition.to_expression()).collect();
        let mut request = MultiSearchQuery::new(&self.reader.search);
        for ((_, fields), condition) in groups.iter().zip(&conditions) {
            let mut query = SearchQuery::new(&people);
            query.with_limit(0).with_facets(Selectors::Some(fields));
            if let Some(condition) = condition {
                query.with_filter(condition);
            }
            request.with_search_query(query);
        }
        Ok(request.execute::<IgnoredAny>().await?.results)
    }

    async fn ages(&self, filter: F, bounds: Bounds) -> ApiResult<Vec<FacetValue>> {
        let of_age = |age| {
            let (after, until) = age_window(age, age, self.now);
            let born = Filter::gt("birth", after).and(Filter::le("birth", until));
            (self.condition(Some(filter)).and(born), Vec::new())
        };
        let groups: Vec<_> = (bounds.min..=bounds.max).map(of_age).collect();
        let counted = self.count(&groups).await?;
        let ages = (bounds.min..=bounds.max).zip(counted).map(|(age, found)| {
            let value = age.to_string();
            FacetValue {
                label: value.clone(),
                detail: None,
                value,
                total: found.estimated_total_hits.unwrap_or_default(),
            }
        });
        Ok(ages.filter(|age| age.total > 0).collect())
    }
}

type Counts = meilisearch_sdk::search::SearchResults<IgnoredAny>;

fn filter_by_field<F: FilterWord>(field: &str) -> Option<F> {
    F::ALL.iter().copied().find(|filter| filter.field() == field)
}

/// Sorts codes by count, highest first, and letters and numbers by value.
fn values<F: FilterWord>(filter: F, counts: HashMap<String, usize>, lang: Lang, now: i64) -> Vec<FacetValue> {
    let mut by_value: BTreeMap<String, usize> = BTreeMap::new();
    for (value, total) in counts {
        let value = match filter.field() {
            "birth" => value.parse().map_or(value, |birth: f64| age_of(birth as i64, now).to_string()),
            _ => value,
        };
        *by_value.entry(value).or_default() += total;
    }
    let mut values: Vec<FacetValue> = by_value
        .into_iter()
        .map(|(value, total)| FacetValue {
            label: labels::label(filter.as_str(), &value, lang).to_owned(),
            detail: None,
            value,
            total,
        })
        .collect();
    match filter.kind() {
        Kind::Letters | Kind::Object => {}
        Kind::Range => values.sort_by_key(|value| value.value.parse::<i64>().unwrap_or_default()),
        Kind::Codes => values.sort_by(|a, b| b.total.cmp(&a.total).then_with(|| a.value.cmp(&b.value))),
    }
    values
}

fn bounds<F: FilterWord>(filter: F, range: &FacetStats, now: i64) -> Bounds {
    let (min, max) = (range.min as i64, range.max as i64);
    if filter.field() == "birth" {
        // The earliest birth date corresponds to the highest age.
        return Bounds { min: age_of(max, now), max: age_of(min, now) };
    }
    Bounds { min, max }
}
