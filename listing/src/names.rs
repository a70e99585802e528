//! Query parameters that narrow a list of videos by name: `?categories=&not_categories=&models=&not_models=`.

use std::fmt::{self, Display, Formatter};

use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};

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

impl Names {
    /// Parses the query parameters that `value` returns by name.
    ///
    /// # Errors
    /// See [`Self::checked`].
    pub fn parse<'a>(value: impl Fn(&'static str) -> Option<&'a str>, config: &Config) -> ApiResult<Self> {
        let most = config.listing.max_categories;
        // One name beyond the limit is enough to detect that there are too many.
        let named = |name| value(name).into_iter().flat_map(move |list| list.split(',').take(most + 1));
        let listed = |name| named(name).map(str::to_owned).collect();
        let names = Self {
            categories: listed("categories"),
            not_categories: listed("not_categories"),
            models: listed("models"),
            not_models: listed("not_models"),
        };
        names.checked(config)
    }

    /// Validates, sorts and deduplicates the names.
    ///
    /// # Errors
    /// 404 `category_not_found` or `model_not_found` for a malformed name, 422 `invalid` for more than `listing.max_categories` names in
    /// one list.
    pub fn checked(self, config: &Config) -> ApiResult<Self> {
        let tidy = |field, names: Vec<String>, unknown| {
            if names.len() > config.listing.max_categories {
                return Err(ApiError::invalid(field));
            }
            let mut names: Vec<String> = names.iter().map(|name| path::dir(name, unknown)).collect::<ApiResult<_>>()?;
            names.sort_unstable();
            names.dedup();
            Ok(names)
        };
        Ok(Self {
            categories: tidy("categories", self.categories, "category_not_found")?,
            not_categories: tidy("not_categories", self.not_categories, "category_not_found")?,
            models: tidy("models", self.models, "model_not_found")?,
            not_models: tidy("not_models", self.not_models, "model_not_found")?,
        })
    }

    /// Returns whether all lists are empty.
    pub fn is_empty(&self) -> bool {
        self.pairs().iter().all(|(_, names)| names.is_empty())
    }

    /// Returns each parameter with its comma-separated value, in the order of the URL. The value of an empty list is empty.
    pub fn pairs(&self) -> [(&'static str, String); 4] {
        [
            ("categories", self.categories.join(",")),
            ("not_categories", self.not_categories.join(",")),
            ("models", self.models.join(",")),
            ("not_models", self.not_models.join(",")),
        ]
    }
}

/// Writes `&name=value` for each non-empty list, escaped as browsers do.
impl Display for Names {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let named = self.pairs().into_iter().filter(|(_, names)| !names.is_empty());
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
