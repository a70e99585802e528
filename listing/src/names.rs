//! Names that narrow a list of videos beside what its address says: `?categories=&not_categories=&models=&not_models=`.

use std::fmt::{self, Display, Formatter};

use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};

use crate::path;

/// Names in URLs, each list sorted and without repetition where it was checked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// All must match.
    pub categories: Vec<String>,
    /// None may match.
    pub not_categories: Vec<String>,
    /// All must match.
    pub models: Vec<String>,
    /// None may match.
    pub not_models: Vec<String>,
}

impl Names {
    /// Parses the parameters of a query, of which `value` returns one by its name.
    ///
    /// # Errors
    /// As [`Self::checked`].
    pub fn parse<'a>(value: impl Fn(&'static str) -> Option<&'a str>, config: &Config) -> ApiResult<Self> {
        let most = config.listing.max_categories;
        // One more than may be named says that there are too many.
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

    /// The same in the one order that they have. Fails with 404 `category_not_found` or `model_not_found` for what can be no name, 422
    /// for more than a list combines.
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

    /// Whether nothing is named.
    pub fn is_empty(&self) -> bool {
        self.pairs().iter().all(|(_, names)| names.is_empty())
    }

    /// The parameters in the order of addresses; one that names nothing is empty.
    pub fn pairs(&self) -> [(&'static str, String); 4] {
        [
            ("categories", self.categories.join(",")),
            ("not_categories", self.not_categories.join(",")),
            ("models", self.models.join(",")),
            ("not_models", self.not_models.join(",")),
        ]
    }
}

/// As further parameters of a call, spelled as browsers do.
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
    fn the_same_names_are_spelled_one_way() {
        let names = parse("not_models=b,a&models=yui,mika-sato,yui&categories=&not_categories=city").expect("names");
        assert_eq!(names.to_string(), "&not_categories=city&models=mika-sato%2Cyui&not_models=a%2Cb");
        assert!(parse("x=y").expect("names").is_empty());
    }

    #[test]
    fn what_is_no_name_or_too_much_is_refused() {
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
