//! URL of a list of models (`{lifetime}/{gender}/{filters}/{sort}/{count}/{page}`) or members, which have no `gender`.

use lantern_config::{Config, Gender, MemberFilter, ModelFilter, lifetimes};
use lantern_errors::ApiResult;
use lantern_index::Filter;

use crate::{
    filters::{FilterWord, Filters},
    path::{self, json_name, lifetime_of, number, page_of, word},
};

/// Content and order of a list of people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleList<F: FilterWord> {
    /// Time in seconds for which clients may cache the response, which is one of [`lifetimes::LISTS`].
    pub lifetime: u32,
    /// Orientation of the listed models, or `None` for members.
    pub gender: Option<Gender>,
    /// Chosen filters.
    pub filters: Filters<F>,
    /// Sort order.
    pub sort: F::Sort,
    /// Items per page, from 1 to `listing.max_page_size`.
    pub count: u32,
    /// Page number, starting at 1.
    pub page: u32,
}

/// List of models.
pub type ModelList = PeopleList<ModelFilter>;
/// List of members.
pub type MemberList = PeopleList<MemberFilter>;

impl ModelList {
    /// Parses the six path segments. Fails with 404 for anything outside the grammar.
    pub fn parse([lifetime, gender, filters, sort, count, file]: [&str; 6], config: &Config) -> ApiResult<Self> {
        let gender = Some(word(gender)?);
        Ok(Self { gender, ..Self::parse_rest([lifetime, filters, sort, count, file], config)? })
    }

    /// Returns the condition that every listed model meets.
    pub fn within(&self) -> Filter {
        Filter::all(self.gender.map(|gender| Filter::eq("gender", gender.as_str())))
    }
}

impl MemberList {
    /// Parses the five path segments. Fails with 404 for anything outside the grammar.
    pub fn parse(segments: [&str; 5], config: &Config) -> ApiResult<Self> {
        Self::parse_rest(segments, config)
    }
}

impl<F: FilterWord> PeopleList<F> {
    fn parse_rest([lifetime, filters, sort, count, file]: [&str; 5], config: &Config) -> ApiResult<Self> {
        Ok(Self {
            lifetime: lifetime_of(lifetime, lifetimes::LISTS)?,
            gender: None,
            filters: Filters::parse(filters)?,
            sort: word(sort)?,
            count: number(count, 1..=config.listing.max_page_size)?,
            page: page_of(json_name(file)?)?,
        })
    }

    /// Returns the zero-based index of the first item on the page. Fails with 404 for pages beyond `search.max_total_hits`.
    pub fn offset(&self, config: &Config) -> ApiResult<usize> {
        path::offset(self.page, self.count, config)
    }

    /// Returns the canonical URL. It is used as the cache key.
    pub fn canonical(&self) -> String {
        let Self { lifetime, gender, filters, sort, count, page } = self;
        let gender = gender.map(|gender| format!("{gender}/")).unwrap_or_default();
        format!("{}/{lifetime}/{gender}{}/{sort}/{count}/{page}", F::INDEX.uid(), filters.canonical())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_urls_start_with_the_call() {
        let config = Config::default();
        let models = ["86400", "gay", "filt-race~white,asian", "top-rated", "60", "2.json"];
        let models = ModelList::parse(models, &config).expect("models");
        assert_eq!(models.canonical(), "models/86400/gay/filt-race~asian,white/top-rated/60/2");
        assert_eq!(models.within().to_string(), "gender = \"gay\"");
        let members = MemberList::parse(["7200", "filt", "recent", "60", "1.json"], &config).expect("members");
        assert_eq!(members.canonical(), "members/7200/filt/recent/60/1");
        assert!(MemberList::parse(["7200", "filt", "recent", "60", "1"], &config).is_err());
    }
}
