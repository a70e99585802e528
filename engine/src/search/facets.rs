//! Facet value counts, numeric ranges, and facet search.

use std::collections::BTreeMap;
use std::time::Instant;

use indexmap::IndexMap;
use milli_core as milli;
use milli_core::heed::{self, RoTxn};
use milli_core::{DEFAULT_VALUES_PER_FACET, FieldsIdsMap, Index, OrderBy, SearchForFacetValues};
use roaring::RoaringBitmap;
use serde::Serialize;
use serde_json::{Value, json};

use super::interrupt::Interrupt;
use super::params::SearchParams;
use super::postings::Postings;
use super::{ranked, search_error};
use crate::http::error::{ApiError, Code};
use crate::http::fields::Fields;

/// Minimum and maximum of a numeric facet.
#[derive(Serialize)]
pub struct Range {
    min: f64,
    max: f64,
}

type Distribution = BTreeMap<String, IndexMap<String, u64>>;

/// Counts the values of `facets` among `candidates`. `*` means all facets.
pub fn distribution(
    index: &Index,
    txn: &RoTxn<'_>,
    names: &FieldsIdsMap,
    postings: &Postings,
    facets: &[String],
    candidates: &RoaringBitmap,
) -> milli::Result<(Distribution, BTreeMap<String, Range>)> {
    let limit = index.max_values_per_facet(txn)?.map_or(DEFAULT_VALUES_PER_FACET, |limit| limit as usize);
    let orders = index.sort_facet_values_by(txn)?;
    let mut counts = Distribution::new();
    let mut others = Vec::new();
    for name in selected(index, txn, facets)? {
        let order = orders.get(if facets.contains(&name) { &name } else { "*" });
        let column = match (names.id(&name), order) {
            (Some(field), OrderBy::Count) => postings.of(index, txn, field)?.map(|column| (field, column)),
            _ => None,
        };
        match column {
            Some((field, column)) => {
                let found = column.most_common(candidates, limit);
                let spell = |(value, count)| Ok((column.spelled(index, txn, field, value)?.to_owned(), count));
                counts.insert(name, found.into_iter().map(spell).collect::<heed::Result<_>>()?);
            }
            None => others.push((name, order)),
        }
    }
    if others.is_empty() {
        return Ok((counts, BTreeMap::new()));
    }
    let mut distribution = index.facets_distribution(txn);
    distribution.candidates(candidates.clone()).max_values_per_facet(limit).facets(others);
    counts.extend(distribution.execute()?);
    let stats = distribution.compute_stats()?;
    Ok((counts, stats.into_iter().map(|(name, (min, max))| (name, Range { min, max })).collect()))
}

/// Resolves `facets` to fields. milli refuses fields that aren't filterable, and expands objects to all of their fields.
fn selected(index: &Index, txn: &RoTxn<'_>, facets: &[String]) -> milli::Result<Vec<String>> {
    let mut nothing = index.facets_distribution(txn);
    nothing.candidates(RoaringBitmap::new());
    if !facets.iter().any(|facet| facet == "*") {
        nothing.facets(facets.iter().map(|facet| (facet, OrderBy::Count)));
    }
    Ok(nothing.execute()?.into_keys().collect())
}

pub struct FacetSearch {
    facet: String,
    query: Option<String>,
    search: SearchParams,
}

impl FacetSearch {
    /// Takes the parameters of a facet search and ignores others, because search UIs also send the parameters of their searches.
    pub fn parse(mut fields: Fields) -> Result<Self, ApiError> {
        let query = fields.take("facetQuery", Code::InvalidFacetSearchQuery)?;
        let facet =
            fields.require("facetName", Code::InvalidFacetSearchFacetName, Code::MissingFacetSearchFacetName)?;
        // Counts are always exact, so the parameter has no effect.
        fields.take::<bool>("exhaustiveFacetCount", Code::InvalidFacetSearchExhaustiveFacetCount)?;
        let search = SearchParams::take_narrowing(&mut fields)?;
        Ok(Self { facet, query, search })
    }
}

pub fn facet_search(index: &Index, wanted: &FacetSearch, interrupt: &Interrupt) -> Result<Value, ApiError> {
    let started = Instant::now();
    let hits = hits(index, wanted, interrupt).map_err(search_error)?;
    Ok(json!({
        "facetHits": hits,
        "facetQuery": wanted.query,
        "processingTimeMs": u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
    }))
}

fn hits(index: &Index, wanted: &FacetSearch, interrupt: &Interrupt) -> milli::Result<Vec<milli::FacetValueHit>> {
    let txn = index.read_txn()?;
    let parsed = ranked::Parsed::new(&wanted.search)?;
    let search = ranked::prepare(index, &txn, &parsed, &interrupt.begin(index, &txn)?)?;
    let mut facets = SearchForFacetValues::new(wanted.facet.clone(), search, false);
    if let Some(query) = &wanted.query {
        facets.query(query);
    }
    if let Some(limit) = index.max_values_per_facet(&txn)? {
        facets.max_values(limit as usize);
    }
    let rules = index.localized_attributes_rules(&txn)?.unwrap_or_default();
    if let Some(rule) = rules.iter().find(|rule| rule.match_str(&wanted.facet) == milli::PatternMatch::Match) {
        facets.locales(rule.locales().to_vec());
    }
    facets.execute()
}

#[cfg(test)]
#[path = "facets_tests.rs"]
mod tests;
