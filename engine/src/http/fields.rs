//! Extracts request parameters one by one, so that each has a separate error code and unknown ones are refused. Values are parsed by
//! `deserr`, whose error messages are worded like Meilisearch's.

use deserr::errors::{JsonError, QueryParamError};
use deserr::{DeserializeError, ErrorKind, IntoValue, ValueKind, ValuePointerRef, take_cf_content};
use serde_json::{Map, Value};

use super::error::{ApiError, Code};
use super::parameter::Parameter;

pub struct Fields {
    map: Map<String, Value>,
    known: Vec<&'static str>,
    place: Place,
}

/// Location of the parameters, included in errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the query string, where every value is text.
    Query,
    Body,
    /// In an element of a list. The list is the body itself or a named member of the body.
    Element(Option<&'static str>, usize),
}

impl Place {
    fn describe<T>(self, then: impl FnOnce(ValuePointerRef<'_>) -> T) -> T {
        let origin = ValuePointerRef::Origin;
        match self {
            Self::Query | Self::Body => then(origin),
            Self::Element(None, i) => then(origin.push_index(i)),
            Self::Element(Some(list), i) => then(origin.push_key(list).push_index(i)),
        }
    }

    /// Returns the message for an error at this location, or at its member `name`.
    fn message(self, name: Option<&str>, error: ErrorKind<'_, Value>) -> String {
        self.describe(|place| {
            let place = match name {
                Some(name) => place.push_key(name),
                None => place,
            };
            match self {
                Self::Query => take_cf_content(QueryParamError::error(None, error, place)).to_string(),
                Self::Body | Self::Element(..) => take_cf_content(JsonError::error(None, error, place)).to_string(),
            }
        })
    }
}

pub fn json(body: &[u8]) -> Result<Value, ApiError> {
    serde_json::from_slice(body).map_err(|error| malformed(body, &error))
}

/// Returns the error for a body that isn't JSON.
pub fn malformed(body: &[u8], error: &serde_json::Error) -> ApiError {
    if body.is_empty() {
        return ApiError::new(Code::MissingPayload, "A json payload is missing.");
    }
    ApiError::new(Code::MalformedPayload, format!("The json payload provided is malformed. `{error}`."))
}

/// Returns the elements of a JSON list.
pub fn list(value: Value) -> Result<Vec<Value>, ApiError> {
    match value {
        Value::Array(items) => Ok(items),
        other => Err(wrong_kind(Place::Body, other, &[ValueKind::Sequence])),
    }
}

fn wrong_kind(place: Place, found: Value, accepted: &[ValueKind]) -> ApiError {
    let error = ErrorKind::IncorrectValueKind { actual: found.into_value(), accepted };
    ApiError::new(Code::BadRequest, place.message(None, error))
}

impl Fields {
    /// Parses the members of a JSON object in the body.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        Self::at(Place::Body, json(body)?)
    }

    /// Returns the members of a JSON object at `place`.
    pub fn at(place: Place, value: Value) -> Result<Self, ApiError> {
        match value {
            Value::Object(map) => Ok(Self { map, known: Vec::with_capacity(30), place }),
            other => Err(wrong_kind(place, other, &[ValueKind::Map])),
        }
    }

    /// Returns the parameters of a query string.
    pub fn query(pairs: Vec<(String, String)>) -> Self {
        let map = pairs.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
        Self { map, known: Vec::with_capacity(30), place: Place::Query }
    }

    fn remove(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        // This preserves the order, because the error names the first unknown field.
        self.map.shift_remove(name)
    }

    /// Takes `name`. Returns `None` if it is absent or null.
    pub fn take<T: Parameter>(&mut self, name: &'static str, code: Code) -> Result<Option<T>, ApiError> {
        match self.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => self.read(name, value, code).map(Some),
        }
    }

    /// Takes `name`, which has a default and must not be null.
    pub fn take_or<T: Parameter>(&mut self, name: &'static str, code: Code, default: T) -> Result<T, ApiError> {
        match self.remove(name) {
            None => Ok(default),
            Some(value) => self.read(name, value, code),
        }
    }

    /// Takes the mandatory parameter `name`.
    pub fn require<T: Parameter>(&mut self, name: &'static str, code: Code, missing: Code) -> Result<T, ApiError> {
        match self.remove(name) {
            None => Err(ApiError::new(missing, self.place.message(None, ErrorKind::MissingField { field: name }))),
            Some(value) => self.read(name, value, code),
        }
    }

    /// Takes a query parameter with a custom parser, whose error may name the element at fault.
    pub fn take_text<T>(
        &mut self,
        name: &'static str,
        code: Code,
        read: impl FnOnce(&str) -> Result<T, (Option<usize>, String)>,
    ) -> Result<Option<T>, ApiError> {
        let Some(Value::String(text)) = self.remove(name) else { return Ok(None) };
        read(&text).map(Some).map_err(|(element, msg)| {
            let at = element.map_or_else(|| name.to_owned(), |i| format!("{name}[{i}]"));
            ApiError::new(code, self.place.message(Some(&at), ErrorKind::Unexpected { msg }))
        })
    }

    fn read<T: Parameter>(&self, name: &str, value: Value, code: Code) -> Result<T, ApiError> {
        let read = self.place.describe(|place| {
            let at = place.push_key(name);
            match value {
                Value::String(text) if self.place == Place::Query => {
                    T::from_text(text, at).map_err(|error| error.to_string())
                }
                value => {
                    let value = value.into_value();
                    T::deserialize_from_value(value, at).map_err(|error: JsonError| error.to_string())
                }
            }
        });
        read.map_err(|message| ApiError::new(code, message))
    }

    /// Takes a flag that is only supported as false.
    pub fn take_disabled(&mut self, name: &'static str, code: Code) -> Result<(), ApiError> {
        if self.take_or(name, code, false)? {
            return Err(ApiError::not_implemented(format!("The parameter `{name}`")));
        }
        Ok(())
    }

    /// Refuses a parameter that is known but not implemented.
    pub fn refuse(&mut self, name: &'static str) -> Result<(), ApiError> {
        match self.remove(name) {
            None | Some(Value::Null | Value::Bool(false)) => Ok(()),
            Some(_) => Err(ApiError::not_implemented(format!("The parameter `{name}`"))),
        }
    }

    /// Refuses all parameters that were not taken.
    pub fn finish(self) -> Result<(), ApiError> {
        match self.map.keys().next() {
            None => Ok(()),
            Some(key) => {
                let error = ErrorKind::UnknownKey { key, accepted: &self.known };
                Err(ApiError::new(Code::BadRequest, self.place.message(None, error)))
            }
        }
    }
}
