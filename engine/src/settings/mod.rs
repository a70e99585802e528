//! An index's settings: the protocol's names and shapes on one side, milli's on the other.

mod read;
mod typo;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use milli_core::index::PrefixSearch;
use milli_core::order_by_map::OrderByMap;
use milli_core::proximity::ProximityPrecision;
use milli_core::update::{Setting, Settings};
use milli_core::{Criterion, FilterableAttributesRule, LocalizedAttributesRule, OrderBy};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::http::error::{ApiError, Code};
use crate::search::locale;
pub use read::current;
use typo::Typo;

/// Every setting's name, its sub-route and the code of its errors.
pub const NAMES: [(&str, &str, Code); 19] = [
    ("displayedAttributes", "displayed-attributes", Code::InvalidSettingsDisplayedAttributes),
    ("searchableAttributes", "searchable-attributes", Code::InvalidSettingsSearchableAttributes),
    ("filterableAttributes", "filterable-attributes", Code::InvalidSettingsFilterableAttributes),
    ("sortableAttributes", "sortable-attributes", Code::InvalidSettingsSortableAttributes),
    ("rankingRules", "ranking-rules", Code::InvalidSettingsRankingRules),
    ("stopWords", "stop-words", Code::InvalidSettingsStopWords),
    ("nonSeparatorTokens", "non-separator-tokens", Code::InvalidSettingsNonSeparatorTokens),
    ("separatorTokens", "separator-tokens", Code::InvalidSettingsSeparatorTokens),
    ("dictionary", "dictionary", Code::InvalidSettingsDictionary),
    ("synonyms", "synonyms", Code::InvalidSettingsSynonyms),
    ("distinctAttribute", "distinct-attribute", Code::InvalidSettingsDistinctAttribute),
    ("proximityPrecision", "proximity-precision", Code::InvalidSettingsProximityPrecision),
    ("typoTolerance", "typo-tolerance", Code::InvalidSettingsTypoTolerance),
    ("faceting", "faceting", Code::InvalidSettingsFaceting),
    ("pagination", "pagination", Code::InvalidSettingsPagination),
    ("searchCutoffMs", "search-cutoff-ms", Code::InvalidSettingsSearchCutoffMs),
    ("localizedAttributes", "localized-attributes", Code::InvalidSettingsLocalizedAttributes),
    ("facetSearch", "facet-search", Code::InvalidSettingsFacetSearch),
    ("prefixSearch", "prefix-search", Code::InvalidSettingsPrefixSearch),
];

/// Checked changes of settings: each one set, reset to its default, or left alone.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    displayed: Setting<Vec<String>>,
    searchable: Setting<Vec<String>>,
    filterable: Setting<Vec<FilterableAttributesRule>>,
    sortable: Setting<HashSet<String>>,
    ranking_rules: Setting<Vec<Criterion>>,
    stop_words: Setting<BTreeSet<String>>,
    non_separators: Setting<BTreeSet<String>>,
    separators: Setting<BTreeSet<String>>,
    dictionary: Setting<BTreeSet<String>>,
    synonyms: Setting<BTreeMap<String, Vec<String>>>,
    distinct: Setting<String>,
    proximity: Setting<ProximityPrecision>,
    typo: Setting<Typo>,
    faceting: Setting<Faceting>,
    pagination: Setting<Pagination>,
    cutoff: Setting<u64>,
    localized: Setting<Vec<LocalizedAttributesRule>>,
    facet_search: Setting<bool>,
    prefix_search: Setting<PrefixSearch>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Faceting {
    #[serde(default)]
    max_values_per_facet: Setting<usize>,
    #[serde(default)]
    sort_facet_values_by: Setting<BTreeMap<String, FacetOrder>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum FacetOrder {
    Alpha,
    Count,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Pagination {
    #[serde(default)]
    max_total_hits: Setting<usize>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Localized {
    attribute_patterns: Vec<String>,
    locales: Vec<String>,
}

impl Changes {
    /// Checks a settings object of the protocol.
    pub fn parse(settings: &Value) -> Result<Self, ApiError> {
        let Value::Object(given) = settings else {
            return Err(ApiError::new(Code::BadRequest, "Invalid value type: expected an object of settings."));
        };
        // What a GET answers may be sent back: it names the embedders, of which there are none.
        let nothing = |value: &Value| value.is_null() || value.as_object().is_some_and(Map::is_empty);
        let known = |(key, value): &(&String, &Value)| code(key).is_some() || (*key == "embedders" && nothing(value));
        if let Some((unknown, _)) = given.iter().find(|entry| !known(entry)) {
            return Err(unknown_setting(unknown));
        }
        let rules: Setting<Vec<String>> = take(given, "rankingRules")?;
        let localized: Setting<Vec<Localized>> = take(given, "localizedAttributes")?;
        Ok(Self {
            displayed: take(given, "displayedAttributes")?,
            searchable: take(given, "searchableAttributes")?,
            filterable: take(given, "filterableAttributes")?,
            sortable: take(given, "sortableAttributes")?,
            ranking_rules: convert(rules, ranking_rules)?,
            stop_words: take(given, "stopWords")?,
            non_separators: take(given, "nonSeparatorTokens")?,
            separators: take(given, "separatorTokens")?,
            dictionary: take(given, "dictionary")?,
            synonyms: take(given, "synonyms")?,
            distinct: take(given, "distinctAttribute")?,
            proximity: take(given, "proximityPrecision")?,
            typo: take(given, "typoTolerance")?,
            faceting: take(given, "faceting")?,
            pagination: take(given, "pagination")?,
            cutoff: take(given, "searchCutoffMs")?,
            localized: convert(localized, localized_rules)?,
            facet_search: take(given, "facetSearch")?,
            prefix_search: take(given, "prefixSearch")?,
        })
    }

    /// Hands the changes to milli.
    pub fn apply(self, settings: &mut Settings<'_, '_, '_>) {
        macro_rules! hand {
            ($($field:ident $set:ident $reset:ident;)+) => {$(
                match self.$field {
                    Setting::Set(value) => settings.$set(value),
                    Setting::Reset => settings.$reset(),
                    Setting::NotSet => {}
                }
            )+};
        }
        let all = |fields: &Vec<String>| fields.iter().any(|field| field == "*");
        match self.displayed {
            Setting::Set(fields) if !all(&fields) => settings.set_displayed_fields(fields),
            Setting::Set(_) | Setting::Reset => settings.reset_displayed_fields(),
            Setting::NotSet => {}
        }
        match self.searchable {
            Setting::Set(fields) if !all(&fields) => settings.set_searchable_fields(fields),
            Setting::Set(_) | Setting::Reset => settings.reset_searchable_fields(),
            Setting::NotSet => {}
        }
        hand! {
            filterable set_filterable_fields reset_filterable_fields;
            sortable set_sortable_fields reset_sortable_fields;
            ranking_rules set_criteria reset_criteria;
            stop_words set_stop_words reset_stop_words;
            non_separators set_non_separator_tokens reset_non_separator_tokens;
            separators set_separator_tokens reset_separator_tokens;
            dictionary set_dictionary reset_dictionary;
            synonyms set_synonyms reset_synonyms;
            distinct set_distinct_field reset_distinct_field;
            proximity set_proximity_precision reset_proximity_precision;
            cutoff set_search_cutoff reset_search_cutoff;
            localized set_localized_attributes_rules reset_localized_attributes_rules;
            facet_search set_facet_search reset_facet_search;
            prefix_search set_prefix_search reset_prefix_search;
        }
        typo::apply(self.typo, settings);
        apply_faceting(self.faceting, settings);
        match self.pagination {
            Setting::Set(Pagination { max_total_hits: Setting::Set(limit) }) => {
                settings.set_pagination_max_total_hits(limit);
            }
            Setting::Set(Pagination { max_total_hits: Setting::Reset }) | Setting::Reset => {
                settings.reset_pagination_max_total_hits();
            }
            Setting::Set(_) | Setting::NotSet => {}
        }
    }
}

/// Settings that reset everything.
pub fn all_reset() -> Value {
    Value::Object(NAMES.iter().map(|(name, _, _)| ((*name).to_owned(), Value::Null)).collect())
}

fn code(name: &str) -> Option<Code> {
    NAMES.iter().find(|(known, _, _)| *known == name).map(|(_, _, code)| *code)
}

fn unknown_setting(name: &str) -> ApiError {
    if matches!(name, "embedders" | "chat") {
        return ApiError::not_implemented(format!("The setting `{name}`"));
    }
    let known = NAMES.map(|(known, _, _)| known).join("`, `");
    ApiError::new(Code::BadRequest, format!("Unknown field `{name}`: expected one of `{known}`."))
}

fn take<T: DeserializeOwned>(given: &Map<String, Value>, name: &str) -> Result<Setting<T>, ApiError> {
    match given.get(name) {
        None => Ok(Setting::NotSet),
        Some(Value::Null) => Ok(Setting::Reset),
        Some(value) => T::deserialize(value).map(Setting::Set).map_err(|error| {
            let code = code(name).unwrap_or(Code::BadRequest);
            ApiError::new(code, format!("Invalid value at `.{name}`: {error}."))
        }),
    }
}

fn convert<A, B>(setting: Setting<A>, to: impl FnOnce(A) -> Result<B, ApiError>) -> Result<Setting<B>, ApiError> {
    Ok(match setting {
        Setting::Set(value) => Setting::Set(to(value)?),
        Setting::Reset => Setting::Reset,
        Setting::NotSet => Setting::NotSet,
    })
}

fn ranking_rules(rules: Vec<String>) -> Result<Vec<Criterion>, ApiError> {
    let parse = |rule: String| {
        rule.parse::<Criterion>().map_err(|error| {
            ApiError::new(Code::InvalidSettingsRankingRules, format!("Invalid value at `.rankingRules`: {error}"))
        })
    };
    rules.into_iter().map(parse).collect()
}

fn localized_rules(rules: Vec<Localized>) -> Result<Vec<LocalizedAttributesRule>, ApiError> {
    let convert = |rule: Localized| match locale::languages(&rule.locales) {
        Ok(locales) => Ok(LocalizedAttributesRule::new(rule.attribute_patterns, locales)),
        Err(unknown) => Err(ApiError::new(
            Code::InvalidSettingsLocalizedAttributes,
            format!("Invalid value at `.localizedAttributes`: `{unknown}` is no language code."),
        )),
    };
    rules.into_iter().map(convert).collect()
}

fn apply_faceting(faceting: Setting<Faceting>, settings: &mut Settings<'_, '_, '_>) {
    let (values, orders) = match faceting {
        Setting::Set(faceting) => (faceting.max_values_per_facet, faceting.sort_facet_values_by),
        Setting::Reset => (Setting::Reset, Setting::Reset),
        Setting::NotSet => return,
    };
    match values {
        Setting::Set(limit) => settings.set_max_values_per_facet(limit),
        Setting::Reset => settings.reset_max_values_per_facet(),
        Setting::NotSet => {}
    }
    match orders {
        Setting::Set(orders) => {
            let mut map = OrderByMap::default();
            for (attribute, order) in orders {
                map.insert(
                    attribute,
                    match order {
                        FacetOrder::Alpha => OrderBy::Lexicographic,
                        FacetOrder::Count => OrderBy::Count,
                    },
                );
            }
            settings.set_sort_facet_values_by(map);
        }
        Setting::Reset => settings.reset_sort_facet_values_by(),
        Setting::NotSet => {}
    }
}
