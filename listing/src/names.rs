//! Query parameters that narrow a list of videos by name: `?categories=&not_categories=&models=&not_models=`.

use std::fmt::{self, Display, Formatter};

use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_index::Filter;

use crate::path;

/// Names of categories and models as used in URLs. [`Self::checked`] validates, sorts and deduplicates each list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// Videos must be in all of these categories.
    pub categories: Vec<String>,
    /// Videos must be in none of these categories.
    pub not_categories: Vec<String>,
    /// Videos must show all of these models.
    pub models: Vec<String>,
    /// Videos must show none of these models.
    pub not_models: Vec<String>,
}

/// Kind of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameKind {
    /// Categories.
    Categories,
    /// Models.
    Models,
}

impl NameKind {
    /// Returns the word for the kind.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Categories => "categories",
            Self::Models => "models",
        }
    }

    /// Returns the field of videos that contains the names, and the code for a name that doesn't exist.
    const fn field(self) -> (&'static str, &'static str) {
        match self {
            Self::Categories => ("category_dirs", "category_not_found"),
            Self::Models => ("model_dirs", "model_not_found"),
        }
    }

    /// Returns the filter for videos that are in the category, or show the model, of this name.
    pub fn filter(self, name: &str) -> Filter {
        Filter::eq(self.field().0, name)
    }
}

/// Description of a list of names.
#[derive(Debug)]
pub struct NameFacet {
    /// Name of the parameter in URLs.
    pub name: &'static str,
    /// Kind of its names.
    pub kind: NameKind,
    /// Whether videos must not match.
    pub negated: bool,
    of: fn(&Names) -> &Vec<String>,
    of_mut: fn(&mut Names) -> &mut Vec<String>,
}

macro_rules! name_facet {
    ($field:ident, $kind:ident, $negated:literal) => {
        NameFacet {
            name: stringify!($field),
            kind: NameKind::$kind,
            negated: $negated,
            of: |names| &names.$field,
            of_mut: |names| &mut names.$field,
        }
    };
}

/// All lists of names, in the order in which URLs contain them.
pub const NAMES: [NameFacet; 4] = [
    name_facet!(categories, Categories, false),
    name_facet!(not_categories, Categories, true),
    name_facet!(models, Models, false),
    name_facet!(not_models, Models, true),
];

impl NameFacet {
    /// Describes the names for the API document, such as `models that must all match`.
    pub fn about(&self) -> String {
        format!("{} that must {} match", self.kind.as_str(), if self.negated { "not" } else { "all" })
    }
}

impl Names {
    /// Parses the query parameters that `value` returns by name.
    ///
    /// # Errors
    /// See [`Self::checked`].
    pub fn parse<'a>(value: impl Fn(&'static str) -> Option<&'a str>, config: &Config) -> ApiResult<Self> {
        // One name beyond the limit is enough to detect that there are too many.
        let most = config.listing.max_categories + 1;
        let split = |list: &str| list.split(',').take(most).map(str::to_owned).collect();
        Self::collect(|facet| value(facet.name).map(split).unwrap_or_default()).checked(config)
    }

    /// Parses the parameters of a page, which `value` returns by name. Takes the first `most` distinct names of each list, in order.
    pub fn of_page<'a>(value: impl Fn(&'static str) -> &'a str, most: usize) -> Self {
        Self::collect(|facet| distinct(value(facet.name), most))
    }

    fn collect(list: impl Fn(&NameFacet) -> Vec<String>) -> Self {
        let mut names = Self::default();
        for facet in &NAMES {
            *(facet.of_mut)(&mut names) = list(facet);
        }
        names
    }

    /// Validates, sorts and deduplicates the names.
    ///
    /// # Errors
    /// 404 `category_not_found` or `model_not_found` for a malformed name, 422 `invalid` for more than `listing.max_categories` names in
    /// one list.
    pub fn checked(mut self, config: &Config) -> ApiResult<Self> {
        for facet in &NAMES {
            let names = (facet.of_mut)(&mut self);
            if names.len() > config.listing.max_categories {
                return Err(ApiError::invalid(facet.name));
            }
            for name in names.iter() {
                path::dir(name, facet.kind.field().1)?;
            }
            names.sort_unstable();
            names.dedup();
        }
        Ok(self)
    }

    /// Returns whether all lists are empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns each parameter with its comma-separated value, in the order of the URL. The value of an empty list is empty.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, String)> {
        NAMES.iter().map(|facet| (facet.name, (facet.of)(self).join(",")))
    }

    /// Returns the conditions that videos must meet: first those that must match, then those that must not.
    pub fn filters(&self) -> impl Iterator<Item = Filter> {
        let of = |negated| {
            NAMES
                .iter()
                .filter(move |facet| facet.negated == negated)
                .flat_map(|facet| (facet.of)(self).iter().map(move |name| facet.kind.filter(name)))
        };
        of(false).chain(of(true).map(Filter::not))
    }
}

/// Returns the first `most` distinct items of a comma-separated list, in order.
pub fn distinct(list: &str, most: usize) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for item in list.split(',').filter(|item| !item.is_empty()) {
        if items.len() < most && !items.iter().any(|known| known == item) {
            items.push(item.to_owned());
        }
    }
    items
}

/// Writes `&name=value` for each non-empty list, escaped as browsers do.
impl Display for Names {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let named = self.pairs().filter(|(_, names)| !names.is_empty());
        named
            .map(|(name, names)| (name, names.replace(',', "%2C")))
            .try_for_each(|(name, names)| write!(out, "&{name}={names}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(query: &str) -> ApiResult<Names> {
        let pairs: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        Names::parse(
            |name| {
                pairs
                    .iter()
                    .find(|(found, _)| *found == name)
                    .map(|(_, value)| *value)
                    .filter(|value| !value.is_empty())
            },
            &Config::default(),
        )
    }

    #[test]
    fn names_are_sorted_and_deduplicated() {
        let names = parse("not_models=b,a&models=yui,mika-sato,yui&categories=&not_categories=city").expect("names");
        assert_eq!(names.to_string(), "&not_categories=city&models=mika-sato%2Cyui&not_models=a%2Cb");
        assert!(parse("x=y").expect("names").is_empty());
    }

    #[test]
    fn malformed_or_too_many_names_are_rejected() {
        for (query, code) in [
            ("categories=a,,b", "category_not_found"),
            ("not_categories=A", "category_not_found"),
            ("models=../x", "model_not_found"),
            ("not_models=A", "model_not_found"),
            ("models=a,b,c,d", "invalid"),
            ("models=a,a,a,a", "invalid"),
        ] {
            assert_eq!(parse(query).expect_err(query).code(), code, "{query}");
        }
    }
}
