//! Converts index settings between the protocol's names and formats and milli's.

/// Applies settings to milli, using the setter and the reset method of each.
macro_rules! apply_each {
    ($settings:ident: $($value:expr, $set:ident, $reset:ident;)+) => {$(
        match $value {
            Setting::Set(value) => $settings.$set(value),
            Setting::Reset => $settings.$reset(),
            Setting::NotSet => {}
        }
    )+};
}

mod read;
mod shapes;
mod typo;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use deserr::errors::JsonError;
use deserr::{DeserializeError, Deserr, ErrorKind, IntoValue, ValueKind, ValuePointerRef, take_cf_content};
use milli_core::update::{Setting, Settings};
use milli_core::{Criterion, FilterableAttributesRule, LocalizedAttributesRule};
use serde_json::{Map, Value};

use crate::http::error::{ApiError, Code};
pub use read::current;
use shapes::{Faceting, LocaleRule, Pagination, Rule};
use typo::Typo;

/// The name, sub-route and error code of every setting.
pub const NAMES: [(&str, &str, Code); 13] = [
    ("displayedAttributes", "displayed-attributes", Code::InvalidSettingsDisplayedAttributes),
    ("searchableAttributes", "searchable-attributes", Code::InvalidSettingsSearchableAttributes),
    ("filterableAttributes", "filterable-attributes", Code::InvalidSettingsFilterableAttributes),
    ("sortableAttributes", "sortable-attributes", Code::InvalidSettingsSortableAttributes),
    ("rankingRules", "ranking-rules", Code::InvalidSettingsRankingRules),
    ("stopWords", "stop-words", Code::InvalidSettingsStopWords),
    ("synonyms", "synonyms", Code::InvalidSettingsSynonyms),
    ("distinctAttribute", "distinct-attribute", Code::InvalidSettingsDistinctAttribute),
    ("typoTolerance", "typo-tolerance", Code::InvalidSettingsTypoTolerance),
    ("faceting", "faceting", Code::InvalidSettingsFaceting),
    ("pagination", "pagination", Code::InvalidSettingsPagination),
    ("searchCutoffMs", "search-cutoff-ms", Code::InvalidSettingsSearchCutoffMs),
    ("localizedAttributes", "localized-attributes", Code::InvalidSettingsLocalizedAttributes),
];

/// Settings in the protocol that this engine doesn't support.
const UNSUPPORTED: [&str; 8] = [
    "embedders",
    "chat",
    "dictionary",
    "facetSearch",
    "nonSeparatorTokens",
    "prefixSearch",
    "proximityPrecision",
    "separatorTokens",
];

/// Validated changes of settings: each is set, reset to its default, or unchanged.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    displayed: Setting<Vec<String>>,
    searchable: Setting<Vec<String>>,
    filterable: Setting<Vec<FilterableAttributesRule>>,
    sortable: Setting<HashSet<String>>,
    ranking_rules: Setting<Vec<Rule>>,
    stop_words: Setting<BTreeSet<String>>,
    synonyms: Setting<BTreeMap<String, Vec<String>>>,
    distinct: Setting<String>,
    typo: Setting<Typo>,
    faceting: Setting<Faceting>,
    pagination: Setting<Pagination>,
    cutoff: Setting<u64>,
    localized: Setting<Vec<LocaleRule>>,
}

impl Changes {
    /// Validates a settings object of the protocol.
    pub fn parse(settings: &Value) -> Result<Self, ApiError> {
        let Value::Object(given) = settings else {
            let error =
                ErrorKind::IncorrectValueKind { actual: settings.clone().into_value(), accepted: &[ValueKind::Map] };
            return Err(ApiError::new(Code::BadRequest, message(error)));
        };
        // The response to a GET can be sent back. It includes `embedders`, which is always empty.
        let nothing = |value: &Value| value.is_null() || value.as_object().is_some_and(Map::is_empty);
        let known = |(key, value): &(&String, &Value)| code(key).is_some() || (*key == "embedders" && nothing(value));
        if let Some((unknown, _)) = given.iter().find(|entry| !known(entry)) {
            return Err(unknown_setting(unknown));
        }
        Self::take_all(given, false)
    }

    /// With `alone`, there is only one setting, and error messages treat it as the whole body.
    fn take_all(given: &Map<String, Value>, alone: bool) -> Result<Self, ApiError> {
        let from = GivenSettings { given, alone };
        Ok(Self {
            displayed: from.take("displayedAttributes")?,
            searchable: from.take("searchableAttributes")?,
            filterable: from.take("filterableAttributes")?,
            sortable: from.take("sortableAttributes")?,
            ranking_rules: from.take("rankingRules")?,
            stop_words: from.take("stopWords")?,
            synonyms: from.take("synonyms")?,
            distinct: from.take("distinctAttribute")?,
            typo: from.take("typoTolerance")?,
            faceting: from.take("faceting")?,
            pagination: from.take("pagination")?,
            cutoff: from.take("searchCutoffMs")?,
            localized: from.take("localizedAttributes")?,
        })
    }

    /// Applies the changes to milli's settings.
    pub fn apply(self, settings: &mut Settings<'_, '_, '_>) {
        // `*` is the default.
        let some = |fields: Vec<String>| match fields.iter().any(|field| field == "*") {
            true => Setting::Reset,
            false => Setting::Set(fields),
        };
        let rules = |list: Vec<Rule>| Setting::Set(list.into_iter().map(Criterion::from).collect());
        let localized =
            |list: Vec<LocaleRule>| Setting::Set(list.into_iter().map(LocalizedAttributesRule::from).collect());
        let pagination = |pagination: Pagination| pagination.max_total_hits;
        apply_each! {
            settings:
            then(self.displayed, some), set_displayed_fields, reset_displayed_fields;
            then(self.searchable, some), set_searchable_fields, reset_searchable_fields;
            self.filterable, set_filterable_fields, reset_filterable_fields;
            self.sortable, set_sortable_fields, reset_sortable_fields;
            self.stop_words, set_stop_words, reset_stop_words;
            self.synonyms, set_synonyms, reset_synonyms;
            self.distinct, set_distinct_field, reset_distinct_field;
            self.cutoff, set_search_cutoff, reset_search_cutoff;
            then(self.ranking_rules, rules), set_criteria, reset_criteria;
            then(self.localized, localized), set_localized_attributes_rules, reset_localized_attributes_rules;
            then(self.pagination, pagination), set_pagination_max_total_hits, reset_pagination_max_total_hits;
        }
        typo::apply(self.typo, settings);
        shapes::apply_faceting(self.faceting, settings);
    }
}

/// Maps the value of a setting.
fn then<T, U>(setting: Setting<T>, change: impl FnOnce(T) -> Setting<U>) -> Setting<U> {
    match setting {
        Setting::Set(value) => change(value),
        Setting::Reset => Setting::Reset,
        Setting::NotSet => Setting::NotSet,
    }
}

/// Returns settings that reset everything.
pub fn all_reset() -> Value {
    Value::Object(NAMES.iter().map(|(name, _, _)| ((*name).to_owned(), Value::Null)).collect())
}

/// Validates the body of a sub-route.
pub fn check_part(name: &str, value: &Value) -> Result<(), ApiError> {
    let given = Map::from_iter([(name.to_owned(), value.clone())]);
    Changes::take_all(&given, true).map(drop)
}

fn code(name: &str) -> Option<Code> {
    NAMES.iter().find(|(known, _, _)| *known == name).map(|(_, _, code)| *code)
}

fn unknown_setting(name: &str) -> ApiError {
    if UNSUPPORTED.contains(&name) {
        return ApiError::not_implemented(format!("The setting `{name}`"));
    }
    let error = ErrorKind::UnknownKey { key: name, accepted: &NAMES.map(|(known, _, _)| known) };
    ApiError::new(Code::BadRequest, message(error))
}

fn message(error: ErrorKind<'_, Value>) -> String {
    take_cf_content(JsonError::error(None, error, ValuePointerRef::Origin)).to_string()
}

/// Settings that are being parsed one by one.
struct GivenSettings<'a> {
    given: &'a Map<String, Value>,
    alone: bool,
}

impl GivenSettings<'_> {
    fn take<T: Deserr<JsonError>>(&self, name: &str) -> Result<Setting<T>, ApiError> {
        let Some(value) = self.given.get(name) else { return Ok(Setting::NotSet) };
        let whole = ValuePointerRef::Origin;
        let at = if self.alone { whole } else { whole.push_key(name) };
        Setting::deserialize_from_value(value.clone().into_value(), at)
            .map_err(|error: JsonError| ApiError::new(code(name).unwrap_or(Code::BadRequest), error.to_string()))
    }
}
