//! Parameters of a request taken one by one, so that each has its own error code and unknown ones are refused. Values are
//! read by `deserr`, which words errors as Meilisearch does.

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

/// Where the parameters stand; errors name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In the query string: every value is text.
    Query,
    Body,
    /// In an element of the body, which is a list, or of a list in the body.
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

    /// The message for something wrong at this place, or at the member `name` of it.
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

/// What is said of a body that isn't JSON.
pub fn malformed(body: &[u8], error: &serde_json::Error) -> ApiError {
    if body.is_empty() {
        return ApiError::new(Code::MissingPayload, "A json payload is missing.");
    }
    ApiError::new(Code::MalformedPayload, format!("The json payload provided is malformed. `{error}`."))
}

/// The elements of a JSON list.
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
    /// The members of a body that is a JSON object.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        Self::at(Place::Body, json(body)?)
    }

    /// The members of a JSON object that stands at `place`.
    pub fn at(place: Place, value: Value) -> Result<Self, ApiError> {
        match value {
            Value::Object(map) => Ok(Self { map, known: Vec::with_capacity(30), place }),
            other => Err(wrong_kind(place, other, &[ValueKind::Map])),
        }
    }

    /// The parameters of a query string.
    pub fn query(pairs: Vec<(String, String)>) -> Self {
        let map = pairs.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
        Self { map, known: Vec::with_capacity(30), place: Place::Query }
    }

    fn remove(&mut self, name: &'static str) -> Option<Value> {
        self.known.push(name);
        // In order: the first unknown field is the one named in the error.
        self.map.shift_remove(name)
    }

    /// Takes `name`; absent and null are `None`.
    pub fn take<T: Parameter>(&mut self, name: &'static str, code: Code) -> Result<Option<T>, ApiError> {
        match self.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => self.read(name, value, code).map(Some),
        }
    }

    /// Takes `name`, which has a default and can't be null.
    pub fn take_or<T: Parameter>(&mut self, name: &'static str, code: Code, default: T) -> Result<T, ApiError> {
        match self.remove(name) {
            None => Ok(default),
            Some(value) => self.read(name, value, code),
        }
    }

    /// Takes `name`, which must be there.
    pub fn require<T: Parameter>(&mut self, name: &'static str, code: Code, missing: Code) -> Result<T, ApiError> {
        match self.remove(name) {
            None => Err(ApiError::new(missing, self.place.message(None, ErrorKind::MissingField { field: name }))),
            Some(value) => self.read(name, value, code),
        }
    }

    /// Takes a query parameter with a reader of its own; a refusal may name the element at fault.
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

    /// Takes a switch that can't be turned on here.
    pub fn take_off(&mut self, name: &'static str, code: Code) -> Result<(), ApiError> {
        if self.take_or(name, code, false)? {
            return Err(ApiError::not_implemented(format!("The parameter `{name}`")));
        }
        Ok(())
    }

    /// Refuses a parameter that is understood but not implemented.
    pub fn refuse(&mut self, name: &'static str) -> Result<(), ApiError> {
        match self.remove(name) {
            None | Some(Value::Null | Value::Bool(false)) => Ok(()),
            Some(_) => Err(ApiError::not_implemented(format!("The parameter `{name}`"))),
        }
    }

    /// Refuses whatever was not taken.
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
