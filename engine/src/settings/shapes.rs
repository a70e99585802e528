//! Formats of the structured settings.

use std::collections::BTreeMap;

use deserr::{DeserializeError, Deserr, IntoValue, ValuePointerRef};
use milli_core::order_by_map::OrderByMap;
use milli_core::update::{Setting, Settings};
use milli_core::{Criterion, CriterionError, LocalizedAttributesRule, OrderBy};

use crate::http::parameter::unexpected;
use crate::search::locale::Locale;

#[derive(Debug, Clone, Deserr)]
#[deserr(rename_all = camelCase, deny_unknown_fields)]
pub struct Faceting {
    #[deserr(default)]
    max_values_per_facet: Setting<usize>,
    #[deserr(default)]
    sort_facet_values_by: Setting<BTreeMap<String, FacetOrder>>,
}

#[derive(Debug, Clone, Copy, Deserr)]
#[deserr(rename_all = camelCase)]
enum FacetOrder {
    Alpha,
    Count,
}

#[derive(Debug, Clone, Deserr)]
#[deserr(rename_all = camelCase, deny_unknown_fields)]
pub struct Pagination {
    #[deserr(default)]
    pub max_total_hits: Setting<usize>,
}

#[derive(Debug, Clone, Deserr)]
#[deserr(rename_all = camelCase, deny_unknown_fields)]
pub struct LocaleRule {
    attribute_patterns: Vec<String>,
    locales: Vec<Locale>,
}

impl From<LocaleRule> for LocalizedAttributesRule {
    fn from(rule: LocaleRule) -> Self {
        Self::new(rule.attribute_patterns, rule.locales.into_iter().map(|Locale(language)| language).collect())
    }
}

#[derive(Debug, Clone)]
pub struct Rule(Criterion);

impl<E: DeserializeError> Deserr<E> for Rule {
    fn deserialize_from_value<V: IntoValue>(value: deserr::Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        let rule = String::deserialize_from_value(value, at)?;
        rule.parse().map(Self).map_err(|error: CriterionError| unexpected(error.to_string(), at))
    }
}

impl From<Rule> for Criterion {
    fn from(Rule(criterion): Rule) -> Self {
        criterion
    }
}

/// Applies changes of the faceting settings to milli.
pub fn apply_faceting(faceting: Setting<Faceting>, settings: &mut Settings<'_, '_, '_>) {
    let (values, orders) = match faceting {
        Setting::Set(faceting) => (faceting.max_values_per_facet, faceting.sort_facet_values_by),
        Setting::Reset => (Setting::Reset, Setting::Reset),
        Setting::NotSet => return,
    };
    let order = |order| match order {
        FacetOrder::Alpha => OrderBy::Lexicographic,
        FacetOrder::Count => OrderBy::Count,
    };
    let ordered = |orders: BTreeMap<String, FacetOrder>| {
        let mut map = OrderByMap::default();
        for (attribute, by) in orders {
            map.insert(attribute, order(by));
        }
        Setting::Set(map)
    };
    apply_each! {
        settings:
        values, set_max_values_per_facet, reset_max_values_per_facet;
        super::then(orders, ordered), set_sort_facet_values_by, reset_sort_facet_values_by;
    }
}
