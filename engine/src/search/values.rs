//! Values only searches take.

use deserr::errors::QueryParamError;
use deserr::{DeserializeError, Deserr, IntoValue, ValuePointerRef};

use crate::http::parameter::{Parameter, unexpected};

/// Which words of a query may be missing from a hit.
#[derive(Debug, Clone, Copy, Deserr)]
#[deserr(rename_all = lowercase)]
pub enum Matching {
    Last,
    All,
    Frequency,
}

impl Parameter for Matching {}

/// The least score of a hit, from 0 to 1.
pub struct Threshold(pub f64);

impl Threshold {
    fn checked<E: DeserializeError>(score: Option<f64>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        let range = "the value of `rankingScoreThreshold` is invalid, expected a float between `0.0` and `1.0`.";
        let score = score.filter(|score| (0.0..=1.0).contains(score));
        score.map(Self).ok_or_else(|| unexpected(range.to_owned(), at))
    }
}

impl<E: DeserializeError> Deserr<E> for Threshold {
    fn deserialize_from_value<V: IntoValue>(value: deserr::Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        Self::checked(Some(f64::deserialize_from_value(value, at)?), at)
    }
}

impl Parameter for Threshold {
    fn from_text(text: String, at: ValuePointerRef<'_>) -> Result<Self, QueryParamError> {
        Self::checked(text.parse().ok(), at)
    }
}

/// What to sort by, first things first.
pub struct Criteria(pub Vec<String>);

impl<E: DeserializeError> Deserr<E> for Criteria {
    fn deserialize_from_value<V: IntoValue>(value: deserr::Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        Vec::deserialize_from_value(value, at).map(Self)
    }
}

impl Parameter for Criteria {
    fn from_text(text: String, _: ValuePointerRef<'_>) -> Result<Self, QueryParamError> {
        Ok(Self(sort_list(&text)))
    }
}

/// Splits at commas outside brackets: `_geoPoint(1,2):asc` is one criterion.
fn sort_list(value: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in value.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match (c, parts.last_mut()) {
            (',', _) if depth == 0 => parts.push(String::new()),
            (c, Some(part)) => part.push(c),
            (_, None) => {}
        }
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}
