//! Filters for a list of people, such as `filt-race~asian,latin-age~25.34`. Several values for one filter are alternatives.

use std::{
    fmt::{Display, Write as _},
    str::FromStr,
};

use lantern_config::{MemberFilter, MemberSort, ModelFilter, ModelSort, labels, numbers::parse_number};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::{Filter, IndexName};

use crate::{ages::age_window, sorts::SortWord};

/// A filter of a list, implemented by the vocabularies in `lantern-config`.
pub trait FilterWord: Copy + Ord + FromStr + Display + Send + Sync + 'static {
    /// All filters, in the order in which a URL contains them.
    const ALL: &'static [Self];
    /// Index that contains the filtered objects. The list's call has the same name.
    const INDEX: IndexName;
    /// Sort orders of the list.
    type Sort: SortWord + std::fmt::Debug + PartialEq + Eq + Send;

    /// Returns the name used in URLs and labels.
    fn as_str(self) -> &'static str;

    /// Returns the kind of value that the filter takes.
    fn kind(self) -> Kind;

    /// Returns the name of the field in the index. Ages are stored as birth dates.
    fn field(self) -> &'static str {
        if self.as_str() == "age" { "birth" } else { self.as_str() }
    }
}

/// Kind of value that a filter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Codes from the closed list in [`labels::codes`].
    Codes,
    /// First letters `A` to `Z`, and `#` for any other character.
    Letters,
    /// Minimum and maximum, up to 999.
    Range,
    /// Id of the object that the list belongs to.
    Object,
}

impl FilterWord for ModelFilter {
    const ALL: &'static [Self] = Self::ALL;
    const INDEX: IndexName = IndexName::Models;
    type Sort = ModelSort;

    fn as_str(self) -> &'static str {
        self.as_str()
    }

    fn kind(self) -> Kind {
        match self {
            Self::Alphabet => Kind::Letters,
            Self::Age | Self::Height | Self::Weight => Kind::Range,
            Self::Race | Self::Country | Self::TitsSize | Self::HairColor | Self::Tattoo | Self::Piercing => {
                Kind::Codes
            }
        }
    }
}

impl FilterWord for MemberFilter {
    const ALL: &'static [Self] = Self::ALL;
    const INDEX: IndexName = IndexName::Members;
    type Sort = MemberSort;

    fn as_str(self) -> &'static str {
        self.as_str()
    }

    fn kind(self) -> Kind {
        match self {
            Self::Age => Kind::Range,
            Self::ObjectId => Kind::Object,
            Self::Country | Self::Gender | Self::Relationship | Self::Avatar | Self::Orientation => Kind::Codes,
        }
    }
}

/// Chosen value of one filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Alternatives, sorted and without duplicates. Also used for [`Kind::Letters`].
    Codes(Vec<String>),
    /// Minimum and maximum, both inclusive, in years, centimeters or kilograms.
    Range(i64, i64),
    /// Id of the object that the list belongs to, at least 1.
    Object(i64),
}

/// Chosen filters in the order of [`FilterWord::ALL`], so that each list has exactly one URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filters<F>(Vec<(F, Choice)>);

/// Filters of a list of models.
pub type ModelFilters = Filters<ModelFilter>;
/// Filters of a list of members.
pub type MemberFilters = Filters<MemberFilter>;

/// Largest value in a range. Real ages in years, heights in centimeters and weights in kilograms are far below it.
const RANGE_MAX: i64 = 999;
/// Maximum number of values for one filter. This limit keeps URLs and queries short.
pub const MOST_VALUES: usize = 10;

impl<F> Default for Filters<F> {
    /// Returns no filters.
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl Filters<MemberFilter> {
    /// Returns the id of the member whose friends are listed, if the list is restricted to friends.
    pub fn friends_of(&self) -> Option<i64> {
        self.0.iter().find_map(|(_, choice)| if let Choice::Object(id) = choice { Some(*id) } else { None })
    }
}

impl<F: FilterWord> Filters<F> {
    /// Parses a path segment. Fails with 404 for unknown filters or values, and for repeated or misordered filters.
    pub fn parse(segment: &str) -> ApiResult<Self> {
        let unknown = || ApiError::NotFound("not_found");
        let rest = segment.strip_prefix("filt").ok_or_else(unknown)?;
        let mut chosen: Vec<(F, Choice)> = Vec::new();
        if !rest.is_empty() {
            for pair in rest.strip_prefix('-').ok_or_else(unknown)?.split('-') {
                let (name, value) = pair.split_once('~').ok_or_else(unknown)?;
                let filter: F = name.parse().map_err(|_| unknown())?;
                // A fixed order gives each set of filters exactly one URL.
                if chosen.last().is_some_and(|(last, _)| *last >= filter) {
                    return Err(unknown());
                }
                chosen.push((filter, choice(filter, value).ok_or_else(unknown)?));
            }
        }
        Ok(Self(chosen))
    }

    /// Returns filters with their values, in the order of [`FilterWord::ALL`]. Fails with 404 for unknown values.
    pub fn collect(values: impl Iterator<Item = (F, String)>) -> ApiResult<Self> {
        let known = |(filter, value): (F, String)| choice(filter, &value).map(|choice| (filter, choice));
        values.map(known).collect::<Option<_>>().map(Self).ok_or(ApiError::NotFound("not_found"))
    }

    /// Returns the filters and their values in the order of the URL.
    pub fn chosen(&self) -> &[(F, Choice)] {
        &self.0
    }

    /// Returns the condition that the people `within` a list meet. `except` omits one filter, so that its values can be counted.
    pub fn filter(&self, within: Filter, except: Option<F>, now: i64) -> Filter {
        let chosen = self.0.iter().filter(|(filter, _)| except != Some(*filter));
        chosen.fold(within, |within, (filter, choice)| match choice {
            Choice::Codes(codes) => within.and(match &codes[..] {
                [code] => Filter::eq(filter.field(), code),
                codes => Filter::in_(filter.field(), codes),
            }),
            Choice::Range(from, to) if filter.field() == "birth" => {
                let (after, until) = age_window(*from, *to, now);
                within.and(Filter::gt("birth", after)).and(Filter::le("birth", until))
            }
            Choice::Range(from, to) => within.and(Filter::between(filter.field(), *from, *to)),
            // `within` already contains the object that the list belongs to.
            Choice::Object(_) => within,
        })
    }

    /// Returns the path segment in its canonical form.
    pub fn canonical(&self) -> String {
        let mut out = String::from("filt");
        for (filter, choice) in &self.0 {
            let _ = match choice {
                Choice::Codes(codes) => write!(out, "-{filter}~{}", codes.join(",")),
                Choice::Range(from, to) => write!(out, "-{filter}~{from}.{to}"),
                Choice::Object(id) => write!(out, "-{filter}~{id}"),
            };
        }
        out
    }
}

fn choice<F: FilterWord>(filter: F, value: &str) -> Option<Choice> {
    let known: fn(F, &str) -> bool = match filter.kind() {
        Kind::Range => {
            let (from, to) = value.split_once('.')?;
            let (from, to): (i64, i64) = (parse_number(from)?, parse_number(to)?);
            return (from <= to && to <= RANGE_MAX).then_some(Choice::Range(from, to));
        }
        Kind::Object => return parse_number(value).filter(|id| *id > 0).map(Choice::Object),
        Kind::Letters => |_, code| code == "#" || matches!(code.as_bytes(), [b'A'..=b'Z']),
        Kind::Codes => |filter, code| labels::codes(filter.as_str()).contains(&code),
    };
    let mut codes: Vec<&str> = value.split(',').take(MOST_VALUES + 1).collect();
    if codes.len() > MOST_VALUES || !codes.iter().all(|code| known(filter, code)) {
        return None;
    }
    codes.sort_unstable();
    codes.dedup();
    Some(Choice::Codes(codes.into_iter().map(str::to_owned).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_round_trip() {
        for segment in [
            "filt",
            "filt-race~asian-age~25.34-hair_color~black",
            "filt-alphabet~#",
            "filt-alphabet~A,B-race~asian,latin,white",
            "filt-country~JP-tattoo~no-piercing~yes",
        ] {
            let filters = ModelFilters::parse(segment).expect(segment);
            assert_eq!(filters.canonical(), segment);
        }
        let segment = "filt-country~DE,JP-gender~couple,female-age~25.34-relationship~open-avatar~yes-orientation~gay-object_id~7";
        assert_eq!(MemberFilters::parse(segment).expect(segment).canonical(), segment);
    }

    #[test]
    fn counts_of_a_filter_ignore_its_own_choice() {
        let filters = ModelFilters::parse("filt-race~asian-hair_color~black,red").expect("filters");
        let within = || Filter::eq("gender", "str");
        let filter = |except| filters.filter(within(), except, 0).to_string();
        assert_eq!(filter(Some(ModelFilter::Race)), "gender = \"str\" AND hair_color IN [\"black\", \"red\"]");
        assert_eq!(filter(Some(ModelFilter::HairColor)), "gender = \"str\" AND race = \"asian\"");
        assert!(MemberFilters::default().filter(Filter::all([]), None, 0).matches_everything());
    }

    #[test]
    fn values_are_sorted_and_deduplicated() {
        let filters = ModelFilters::parse("filt-race~white,asian,white").expect("filters");
        assert_eq!(filters.canonical(), "filt-race~asian,white");
    }

    #[test]
    fn invalid_filters_are_rejected() {
        for segment in [
            "",
            "fil",
            "filt-",
            "filtrace~asian",
            "filt-race",
            "filt-race~",
            "filt-race~x",
            "filt-race~asian,",
            "filt-race~asian,x",
            "filt-country~AT,BE,BG,CH,CZ,DE,DK,EE,ES,FI,FR",
            "filt-shoe~40",
            "filt-age~34.25",
            "filt-age~25",
            "filt-age~.",
            "filt-age~-1.5",
            "filt-age~1.99999",
            "filt-age~20.30,40.50",
            "filt-race~asian-race~latin",
            "filt-age~20.30-race~asian",
            "filt-alphabet~a",
            "filt-country~jp",
            "filt-race~asian\" OR id > 0",
        ] {
            assert!(ModelFilters::parse(segment).is_err(), "{segment}");
        }
        for segment in [
            "filt-race~asian",
            "filt-gender~str",
            "filt-gender~male-country~JP",
            "filt-avatar~maybe",
            "filt-object_id~0",
            "filt-object_id~1,2",
            "filt-object_id~07",
            "filt-object_id~x",
        ] {
            assert!(MemberFilters::parse(segment).is_err(), "{segment}");
        }
    }
}
