//! Lists of models.

use lantern_config::{Gender, ModelFilter, ModelSort, lifetimes};
use lantern_errors::ApiResult;

use super::{PAGE_SIZE, address::Address, query::Params};
use crate::{
    filters::{FilterWord, Filters, Kind},
    people::ModelList,
};

/// A list of models as its address describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPage {
    /// Sort order.
    pub sort: ModelSort,
    /// Page number, starting at 1.
    pub page: u32,
    /// Filters, in the order in which a URL contains them. In ranges (`min.max`), either end may be open.
    pub filters: Vec<(ModelFilter, String)>,
}

impl ModelPage {
    /// Returns a results page with the filters in the parameters.
    pub fn new(sort: ModelSort, page: u32, params: &Params) -> Self {
        let value = |filter: &ModelFilter| {
            let value = params.get(filter.as_str());
            let fits = !value.is_empty() && (filter.kind() != Kind::Range || split_range(value).is_some());
            fits.then(|| (*filter, value.to_owned()))
        };
        Self { sort, page, filters: ModelFilter::ALL.iter().filter_map(value).collect() }
    }

    /// Returns each filter with its value in the call's URL, in which ranges are closed.
    pub fn values(&self) -> impl Iterator<Item = (ModelFilter, String)> {
        self.filters.iter().map(|(filter, value)| match split_range(value).filter(|_| filter.kind() == Kind::Range) {
            Some((low, high)) => {
                let or = |end: &str, open: &str| if end.is_empty() { open.to_owned() } else { end.to_owned() };
                (*filter, format!("{}.{}", or(low, "0"), or(high, "999")))
            }
            None => (*filter, value.clone()),
        })
    }

    /// Returns the list that the page requests. Fails with 404 for unknown values.
    pub fn list(&self, gender: Gender) -> ApiResult<ModelList> {
        Ok(ModelList {
            lifetime: lifetimes::DEFAULT,
            gender: Some(gender),
            filters: Filters::collect(self.values())?,
            sort: self.sort,
            count: PAGE_SIZE,
            page: self.page,
        })
    }

    /// Returns the address of a results page.
    pub fn address(&self, page: u32) -> Address {
        self.filters.iter().fold(Address::new(format!("/models/{}/{page}/", self.sort)), |address, (filter, value)| {
            address.with(filter.as_str(), value, "")
        })
    }
}

/// Splits a range into its two ends, one of which may be empty.
fn split_range(value: &str) -> Option<(&str, &str)> {
    let digits = |text: &str| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    value.split_once('.').filter(|(low, high)| digits(low) && digits(high) && value.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_ranges_are_closed_in_calls_and_invalid_ones_are_ignored() {
        let params = Params::parse("age=25.&height=x&weight=.&race=asian&x=1");
        let page = ModelPage::new(ModelSort::Alphabet, 1, &params);
        assert_eq!(page.filters, [(ModelFilter::Race, "asian".to_owned()), (ModelFilter::Age, "25.".to_owned())]);
        assert_eq!(page.address(2).in_lang(None), "/models/alphabet/2/?race=asian&age=25.");
        let list = page.list(Gender::Str).expect("list");
        assert_eq!(list.canonical(), "models/86400/str/filt-race~asian-age~25.999/alphabet/60/1");
        assert!(ModelPage::new(ModelSort::Alphabet, 1, &Params::parse("race=x")).list(Gender::Str).is_err());
    }
}
