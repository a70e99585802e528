//! Types of request parameters.

use std::convert::Infallible;

use deserr::errors::{JsonError, QueryParamError};
use deserr::{DeserializeError, Deserr, ErrorKind, IntoValue, ValuePointerRef, take_cf_content};
use serde_json::Value;

/// A parameter type, parsed from JSON or from a query string.
pub trait Parameter: Deserr<JsonError> + Deserr<QueryParamError> {
    /// Parses the text of a query parameter.
    fn from_text(text: String, at: ValuePointerRef<'_>) -> Result<Self, QueryParamError> {
        Self::deserialize_from_value(Value::String(text).into_value(), at)
    }
}

impl Parameter for String {}

impl Parameter for bool {
    fn from_text(text: String, at: ValuePointerRef<'_>) -> Result<Self, QueryParamError> {
        let expected = || format!("could not parse `{text}` as a boolean, expected either `true` or `false`");
        text.parse().map_err(|_| unexpected(expected(), at))
    }
}

impl Parameter for usize {
    fn from_text(text: String, at: ValuePointerRef<'_>) -> Result<Self, QueryParamError> {
        text.parse().map_err(|_| unexpected(format!("could not parse `{text}` as a positive integer"), at))
    }
}

impl Parameter for Vec<String> {
    fn from_text(text: String, _: ValuePointerRef<'_>) -> Result<Self, QueryParamError> {
        Ok(text.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect())
    }
}

impl Parameter for Vec<Value> {
    fn from_text(text: String, _: ValuePointerRef<'_>) -> Result<Self, QueryParamError> {
        Ok(text.split(',').filter(|part| !part.is_empty()).map(Value::from).collect())
    }
}

/// Any JSON value. Text that isn't JSON, such as a filter, is taken as a string.
impl Parameter for Value {
    fn from_text(text: String, _: ValuePointerRef<'_>) -> Result<Self, QueryParamError> {
        Ok(serde_json::from_str(&text).unwrap_or(Self::String(text)))
    }
}

/// Returns the error "invalid value: …".
pub fn unexpected<E: DeserializeError>(msg: String, at: ValuePointerRef<'_>) -> E {
    take_cf_content(E::error::<Infallible>(None, ErrorKind::Unexpected { msg }, at))
}
