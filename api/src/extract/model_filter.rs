//! `filt-race~asian-age~25.34`: the filters of a model listing.

use std::fmt::Write as _;

use lantern_config::{ModelFilter, labels};

use super::path::parse_number;
use crate::error::{ApiError, ApiResult};

/// One chosen filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// A code of a closed list.
    Code(String),
    /// From and to, both included.
    Range(i64, i64),
}

/// The chosen filters in the order of the specification.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelFilters(Vec<(ModelFilter, Choice)>);

/// Upper end of a range: years, centimetres or kilograms, all far below.
const RANGE_MAX: i64 = 999;

impl ModelFilters {
    /// Reads the segment.
    ///
    /// # Errors
    /// 404 for unknown filters or values, repeated ones, and any other order.
    pub fn parse(segment: &str) -> ApiResult<Self> {
        let unknown = || ApiError::NotFound("not_found");
        let rest = segment.strip_prefix("filt").ok_or_else(unknown)?;
        let mut chosen: Vec<(ModelFilter, Choice)> = Vec::new();
        if !rest.is_empty() {
            for pair in rest.strip_prefix('-').ok_or_else(unknown)?.split('-') {
                let (name, value) = pair.split_once('~').ok_or_else(unknown)?;
                let filter: ModelFilter = name.parse().map_err(|_| unknown())?;
                // One order, so that one set of filters has one address.
                if chosen.last().is_some_and(|(last, _)| *last >= filter) {
                    return Err(unknown());
                }
                chosen.push((filter, choice(filter, value).ok_or_else(unknown)?));
            }
        }
        Ok(Self(chosen))
    }

    /// The filters.
    #[must_use]
    pub fn chosen(&self) -> &[(ModelFilter, Choice)] {
        &self.0
    }

    /// The segment in its canonical spelling.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut out = String::from("filt");
        for (filter, choice) in &self.0 {
            let _ = match choice {
                Choice::Code(code) => write!(out, "-{filter}~{code}"),
                Choice::Range(from, to) => write!(out, "-{filter}~{from}.{to}"),
            };
        }
        out
    }
}

fn choice(filter: ModelFilter, value: &str) -> Option<Choice> {
    match filter {
        ModelFilter::Age | ModelFilter::Height | ModelFilter::Weight => {
            let (from, to) = value.split_once('.')?;
            let (from, to): (i64, i64) = (parse_number(from)?, parse_number(to)?);
            (from <= to && to <= RANGE_MAX).then_some(Choice::Range(from, to))
        }
        ModelFilter::Alphabet => {
            let known = value == "#" || matches!(value.as_bytes(), [b'A'..=b'Z']);
            known.then(|| Choice::Code(value.to_owned()))
        }
        ModelFilter::Country => labels::is_country(value).then(|| Choice::Code(value.to_owned())),
        ModelFilter::Race
        | ModelFilter::TitsSize
        | ModelFilter::HairColor
        | ModelFilter::Tattoo
        | ModelFilter::Piercing => {
            labels::codes(filter.as_str()).contains(&value).then(|| Choice::Code(value.to_owned()))
        }
    }
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
            "filt-country~JP-tattoo~no-piercing~yes",
        ] {
            let filters = ModelFilters::parse(segment).expect(segment);
            assert_eq!(filters.canonical(), segment);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for segment in [
            "",
            "fil",
            "filt-",
            "filtrace~asian",
            "filt-race",
            "filt-race~",
            "filt-race~x",
            "filt-shoe~40",
            "filt-age~34.25",
            "filt-age~25",
            "filt-age~.",
            "filt-age~-1.5",
            "filt-age~1.99999",
            "filt-race~asian-race~latin",
            "filt-age~20.30-race~asian",
            "filt-alphabet~a",
            "filt-country~jp",
            "filt-race~asian\" OR id > 0",
        ] {
            assert!(ModelFilters::parse(segment).is_err(), "{segment}");
        }
    }
}
