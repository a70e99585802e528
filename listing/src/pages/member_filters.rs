//! Filters for the list of members, as parameters of an address (`web/src/shared/address/member-filters.ts`).

use lantern_config::{MemberFilter, MemberGender};

use super::query::Params;

/// Maximum number of digits in an id within an address. A JavaScript number holds any number with 15 digits exactly
/// (2⁵³ has 16).
const ID_DIGITS: usize = 15;

/// Selected filters, in the order of the contract.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberListFilters(Vec<(MemberFilter, String)>);

impl MemberListFilters {
    /// Reads the filters from an address. Invalid filters count as absent.
    pub fn of(params: &Params) -> Self {
        let chosen = |filter: &MemberFilter| {
            let value = params.get(filter.as_str());
            fits(*filter, value).then(|| (*filter, value.to_owned()))
        };
        Self(MemberFilter::ALL.iter().filter_map(chosen).collect())
    }

    /// Whether the list is unfiltered.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the name and value of each filter.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(filter, value)| (filter.as_str(), value.as_str()))
    }

    /// Returns what follows `filt` in the address of the call.
    pub fn segment(&self) -> String {
        self.pairs().map(|(name, value)| format!("-{name}~{value}")).collect()
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
        let filters = MemberListFilters::of(&Params::parse(
            "object_id=7&avatar=yes&country=JP&age=20.30&gender=<b>&orientation=gay&x=1",
        ));
        assert_eq!(filters.segment(), "-country~JP-age~20.30-avatar~yes-orientation~gay-object_id~7");
        let nothing = MemberListFilters::of(&Params::parse(
            "avatar=maybe&country=jp&age=.30&relationship=&gender=gay&object_id=07",
        ));
        assert!(nothing.is_empty());
    }
}
