//! Parameters of a request taken one by one, so that each has its own error code and unknown ones are refused.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::{ApiError, Code};

/// A JSON body being taken apart.
pub struct Fields {
    map: Map<String, Value>,
    known: Vec<&'static str>,
}

impl Fields {
    /// The fields of a JSON object.
    pub fn parse(body: &[u8]) -> Result<Self, ApiError> {
        if body.is_empty() {
            return Err(ApiError::new(Code::MissingPayload, "A json payload is missing."));
        }
        let value = serde_json::from_slice(body).map_err(|error| {
            ApiError::new(Code::MalformedPayload, format!("The json payload provided is malformed. `{error}`."))
        })?;
        Self::from_value(value)
    }

    /// The fields of a JSON object.
    pub fn from_value(value: Value) -> Result<Self, ApiError> {
        match value {
            Value::Object(map) => Ok(Self { map, known: Vec::with_capacity(24) }),
            other => Err(ApiError::new(
                Code::BadRequest,
                format!("Invalid value type: expected an object, but found {}.", kind(&other)),
            )),
        }
    }

    /// Takes `name`; absent and null are `None`.
    pub fn take<T: DeserializeOwned>(&mut self, name: &'static str, code: Code) -> Result<Option<T>, ApiError> {
        self.known.push(name);
        match self.map.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let found = kind(&value);
                serde_json::from_value(value).map(Some).map_err(|error| {
                    ApiError::new(code, format!("Invalid value at `.{name}`: found {found}: {error}."))
                })
            }
        }
    }

    /// Refuses a parameter that is understood but not implemented.
    pub fn refuse(&mut self, name: &'static str) -> Result<(), ApiError> {
        self.known.push(name);
        match self.map.remove(name) {
            None | Some(Value::Null | Value::Bool(false)) => Ok(()),
            Some(_) => Err(ApiError::not_implemented(format!("The parameter `{name}`"))),
        }
    }

    /// Refuses whatever was not taken.
    pub fn finish(self) -> Result<(), ApiError> {
        match self.map.keys().next() {
            None => Ok(()),
            Some(unknown) => Err(ApiError::new(
                Code::BadRequest,
                format!("Unknown field `{unknown}`: expected one of `{}`.", self.known.join("`, `")),
            )),
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
