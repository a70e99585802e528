//! The list of members (`web/src/shared/address/member-filters.ts`).

use lantern_config::{LARGEST_PAGE, MemberFilter, MemberGender, MemberSort, lifetimes};
use lantern_errors::ApiResult;

use super::{address::Address, query::Params};
use crate::{filters::Filters, people::MemberList};

/// Maximum number of digits in an id within an address. A JavaScript number holds any number with 15 digits exactly
/// (2⁵³ has 16).
const ID_DIGITS: usize = 15;

/// The list of members as its address describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberPage {
    /// Sort order.
    pub sort: MemberSort,
    /// Page number, starting at 1.
    pub page: u32,
    /// Filters, in the order in which a URL contains them.
    pub filters: Vec<(MemberFilter, String)>,
}

impl MemberPage {
    /// Returns a results page with the filters in the parameters. Invalid filters count as absent.
    pub fn new(sort: MemberSort, page: u32, params: &Params) -> Self {
        let chosen = |filter: &MemberFilter| {
            let value = params.get(filter.as_str());
            fits(*filter, value).then(|| (*filter, value.to_owned()))
        };
        Self { sort, page, filters: MemberFilter::ALL.iter().filter_map(chosen).collect() }
    }

    /// Returns the list that the page requests. Fails with 404 for unknown values.
    pub fn list(&self) -> ApiResult<MemberList> {
        Ok(MemberList {
            lifetime: lifetimes::MEMBER,
            gender: None,
            filters: Filters::collect(self.filters.iter().cloned())?,
            sort: self.sort,
            count: LARGEST_PAGE,
            page: self.page,
        })
    }

    /// Returns the address of a results page.
    pub fn address(&self, page: u32) -> Address {
        self.filters
            .iter()
            .fold(Address::new(format!("/community/{}/{page}/", self.sort)), |address, (filter, value)| {
                address.with(filter.as_str(), value, "")
            })
    }
}

fn fits(filter: MemberFilter, value: &str) -> bool {
    let digits = |text: &str| (1..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    match filter {
        MemberFilter::Country => matches!(value.as_bytes(), [b'A'..=b'Z', b'A'..=b'Z']),
        MemberFilter::Age => value.split_once('.').is_some_and(|(from, to)| digits(from) && digits(to)),
        MemberFilter::Avatar => matches!(value, "yes" | "no"),
        // The same parameter may hold the visitor's orientation instead.
        MemberFilter::Gender => value.parse::<MemberGender>().is_ok(),
        MemberFilter::ObjectId => {
            (1..=ID_DIGITS).contains(&value.len())
                && !value.starts_with('0')
                && value.bytes().all(|byte| byte.is_ascii_digit())
        }
        MemberFilter::Relationship | MemberFilter::Orientation => {
            (1..=20).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_follow_contract_order_and_invalid_ones_are_ignored() {
        let page = |query| MemberPage::new(MemberSort::Recent, 1, &Params::parse(query));
        let filtered = page("object_id=7&avatar=yes&country=JP&age=20.30&gender=<b>&orientation=gay&x=1");
        let list = filtered.list().expect("list");
        assert_eq!(list.filters.canonical(), "filt-country~JP-age~20.30-avatar~yes-orientation~gay-object_id~7");
        let invalid = page("avatar=maybe&country=jp&age=.30&relationship=&gender=gay&object_id=07");
        assert!(invalid.filters.is_empty());
    }
}
