//! Reads the current settings of an index, in the protocol's order.

use std::collections::BTreeMap;

use milli_core as milli;
use milli_core::heed::RoTxn;
use milli_core::{DEFAULT_VALUES_PER_FACET, Index, LocalizedAttributesRule, OrderBy};
use serde_json::{Value, json};

use crate::search::DEFAULT_MAX_TOTAL_HITS;

pub fn current(index: &Index, txn: &RoTxn<'_>) -> milli::Result<Value> {
    let all = || vec!["*".into()];
    let displayed = index.displayed_fields(txn)?.map(|f| f.iter().map(ToString::to_string).collect());
    let searchable = index.user_defined_searchable_fields(txn)?.map(|f| f.iter().map(ToString::to_string).collect());
    let mut sortable: Vec<String> = index.sortable_fields(txn)?.into_iter().collect();
    sortable.sort_unstable();
    let synonyms: BTreeMap<_, _> = index.user_defined_synonyms(txn)?.into_iter().collect();
    Ok(json!({
        "displayedAttributes": displayed.unwrap_or_else(all),
        "searchableAttributes": searchable.unwrap_or_else(all),
        "filterableAttributes": index.filterable_attributes_rules(txn)?,
        "sortableAttributes": sortable,
        "rankingRules": index.criteria(txn)?.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "stopWords": words(index.stop_words(txn)?.map(|set| set.stream().into_strs()))?,
        "synonyms": synonyms,
        "distinctAttribute": index.distinct_field(txn)?,
        "typoTolerance": typo(index, txn)?,
        "faceting": faceting(index, txn)?,
        "pagination": {
            "maxTotalHits": index.pagination_max_total_hits(txn)?.unwrap_or(DEFAULT_MAX_TOTAL_HITS),
        },
        "embedders": {},
        "searchCutoffMs": index.search_cutoff(txn)?,
        "localizedAttributes": index.localized_attributes_rules(txn)?.map(|rules| localized(&rules)),
    }))
}

/// Returns the words of an optional set.
fn words<E: Into<milli::Error>>(set: Option<Result<Vec<String>, E>>) -> milli::Result<Vec<String>> {
    set.transpose().map_err(Into::into).map(Option::unwrap_or_default)
}

fn typo(index: &Index, txn: &RoTxn<'_>) -> milli::Result<Value> {
    let mut attributes: Vec<String> = index.exact_attributes(txn)?.into_iter().map(str::to_owned).collect();
    attributes.sort_unstable();
    Ok(json!({
        "enabled": index.authorize_typos(txn)?,
        "minWordSizeForTypos": {
            "oneTypo": index.min_word_len_one_typo(txn)?,
            "twoTypos": index.min_word_len_two_typos(txn)?,
        },
        "disableOnWords": words(index.exact_words(txn)?.map(|set| set.stream().into_strs()))?,
        "disableOnAttributes": attributes,
        "disableOnNumbers": index.disabled_typos_terms(txn)?.disable_on_numbers,
    }))
}

fn faceting(index: &Index, txn: &RoTxn<'_>) -> milli::Result<Value> {
    let orders: BTreeMap<String, &str> = index
        .sort_facet_values_by(txn)?
        .into_iter()
        .map(|(attribute, order)| {
            (
                attribute,
                match order {
                    OrderBy::Lexicographic => "alpha",
                    OrderBy::Count => "count",
                },
            )
        })
        .collect();
    Ok(json!({
        "maxValuesPerFacet": index.max_values_per_facet(txn)?.unwrap_or(DEFAULT_VALUES_PER_FACET as u64),
        "sortFacetValuesBy": orders,
    }))
}

fn localized(rules: &[LocalizedAttributesRule]) -> Value {
    rules
        .iter()
        .map(|rule| {
            json!({
                "attributePatterns": rule.attribute_patterns.patterns,
                "locales": rule.locales().iter().map(|language| language.code()).collect::<Vec<_>>(),
            })
        })
        .collect()
}
