//! Parameters of a path, query, header or form.

use serde::Serialize;
use serde_json::{Map, Value, json};

/// A parameter or form field.
pub struct Param(Value);

impl Param {
    fn new(place: &str, name: &str, description: &str, schema: Value, example: Value) -> Self {
        let mut param = Map::new();
        param.insert("name".to_owned(), name.into());
        param.insert("in".to_owned(), place.into());
        param.insert("required".to_owned(), (place == "path").into());
        if place == "query" {
            // An empty value counts as absent.
            param.insert("allowEmptyValue".to_owned(), true.into());
        }
        param.insert("description".to_owned(), description.into());
        param.insert("schema".to_owned(), schema);
        param.insert("example".to_owned(), example);
        Self(Value::Object(param))
    }

    /// Replaces the example by several named ones. All examples with the same name, taken from all parameters, form a valid request.
    pub fn examples<const N: usize>(mut self, examples: [(&str, &str); N]) -> Self {
        let examples: Map<String, Value> =
            examples.into_iter().map(|(name, value)| (name.to_owned(), json!({ "value": value }))).collect();
        if let Some(param) = self.0.as_object_mut() {
            param.remove("example");
            param.insert("examples".to_owned(), Value::Object(examples));
        }
        self
    }

    /// Replaces the example.
    pub fn example(mut self, example: impl Into<Value>) -> Self {
        self.0["example"] = example.into();
        self
    }

    /// Makes the parameter required.
    pub fn required(mut self) -> Self {
        if let Some(param) = self.0.as_object_mut() {
            param.remove("allowEmptyValue");
            param.insert("required".to_owned(), json!(true));
        }
        self
    }

    /// Returns the OpenAPI parameter object.
    pub fn to_value(&self) -> Value {
        self.0.clone()
    }
}

/// Returns the schema of a string.
pub fn text() -> Value {
    json!({ "type": "string" })
}

/// Returns a path parameter: a segment or a part of one.
pub fn segment(name: &str, description: &str, schema: Value, example: impl Into<Value>) -> Param {
    Param::new("path", name, description, schema, example.into())
}

/// Returns an optional query parameter.
pub fn query(name: &str, description: &str, schema: Value, example: impl Into<Value>) -> Param {
    Param::new("query", name, description, schema, example.into())
}

/// Returns an optional request header.
pub fn header(name: &str, description: &str, schema: Value, example: impl Into<Value>) -> Param {
    Param::new("header", name, description, schema, example.into())
}

/// Returns an optional form field.
pub fn field(name: &str, description: &str, schema: Value, example: impl Into<Value>) -> Param {
    Param::new("form", name, description, schema, example.into())
}

/// Returns the schema of a string that is one of `words`.
pub fn one_of(words: &[impl Serialize]) -> Value {
    json!({ "type": "string", "enum": words })
}

/// Returns the schema of an id: a positive `bigint` of Postgres.
pub fn id_schema() -> Value {
    json!({ "type": "integer", "format": "int64", "minimum": 1, "maximum": i64::MAX })
}
