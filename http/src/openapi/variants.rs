//! Schemas of forms in which the value of one field decides which other fields there are. They are derived from the enum that is
//! deserialized.
//!
//! The derive writes an enum as objects with one member, whose name is the variant. Its `title` is the name of the field that selects
//! the variant.

use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use super::schemas::resolve;

/// Returns a schema for each variant of `T`, and the example of `T`.
pub fn of<T: ToSchema>() -> (Vec<Value>, Value) {
    let mut named = Vec::new();
    T::schemas(&mut named);
    let all = named.into_iter().map(|(name, schema)| (name, json!(schema))).collect();
    let schema = json!(T::schema());
    (variants(&schema, &all), schema["example"].clone())
}

fn variants(schema: &Value, all: &Map<String, Value>) -> Vec<Value> {
    let tag = schema["title"].as_str().unwrap_or_default();
    let listed = schema["oneOf"].as_array().into_iter().flatten();
    listed
        .flat_map(|variant| {
            let member = variant["properties"].as_object().and_then(|members| members.iter().next());
            let (word, fields) = match member {
                Some((word, fields)) => (json!(word), resolve(fields, all)),
                None => (variant["enum"][0].clone(), &Value::Null),
            };
            let about =
                [variant, fields].map(|schema| &schema["description"]).into_iter().find(|about| about.is_string());
            let about = about.cloned().unwrap_or_default();
            let is_nested = fields["oneOf"].is_array();
            let inner = if is_nested { variants(fields, all) } else { vec![object(fields, all)] };
            inner.into_iter().map(move |inner| selected(inner, tag, &word, &about))
        })
        .collect()
}

/// Adds the field `tag` with the value `word` to the schema of a variant.
fn selected(mut object: Value, tag: &str, word: &Value, about: &Value) -> Value {
    object["properties"][tag] =
        json!({ "description": "Selects the action and its fields.", "type": "string", "enum": [word] });
    if let Some(required) = object["required"].as_array_mut() {
        required.insert(0, json!(tag));
    }
    if object["description"].is_null() {
        object["description"] = about.clone();
    }
    object
}

fn object(fields: &Value, all: &Map<String, Value>) -> Value {
    let required = fields["required"].as_array().cloned().unwrap_or_default();
    let properties = fields["properties"].as_object().into_iter().flatten();
    let properties: Map<String, Value> = properties
        .map(|(name, field)| {
            let (mut schema, about) = field_schema(field, all);
            if !required.contains(&json!(name)) {
                schema = or_absent(&schema);
            }
            schema["description"] = about;
            (name.clone(), schema)
        })
        .collect();
    json!({ "type": "object", "required": required, "properties": properties })
}

/// Returns the schema of a field's values, and its description.
fn field_schema(field: &Value, all: &Map<String, Value>) -> (Value, Value) {
    let is_null = |schema: &&Value| schema["type"] == "null";
    let some = field["oneOf"].as_array().and_then(|kinds| kinds.iter().find(|kind| !is_null(kind))).unwrap_or(field);
    let mut schema = resolve(some, all).clone();
    let about = [field, some, &schema].into_iter().map(|schema| &schema["description"]).find(|about| about.is_string());
    let about = about.cloned().unwrap_or_default();
    // An optional number, text or boolean has two types.
    let kind = schema["type"].as_array().and_then(|kinds| kinds.iter().find(|kind| *kind != "null")).cloned();
    if let Some(kind) = kind {
        schema["type"] = kind;
    }
    // The derive leaves `u32` open above.
    if schema["format"].as_str().is_some_and(|format| format.ends_with("int32")) && schema["minimum"].is_number() {
        schema["maximum"] = json!(u32::MAX);
    }
    if schema["type"] == "boolean" {
        schema = json!({ "type": ["integer", "boolean"], "enum": [0, 1, false, true], "description": schema["description"] });
    }
    if let Some(members) = schema.as_object_mut() {
        members.retain(|name, _| !["description", "format"].contains(&name.as_str()));
    }
    (schema, about)
}

/// Returns the schema of an optional field. `extract::Form` treats an empty field, and null in JSON, as absent.
pub fn or_absent(schema: &Value) -> Value {
    json!({ "anyOf": [schema, { "enum": ["", null] }] })
}

#[cfg(test)]
mod tests {
    #![expect(dead_code, reason = "only the schemas of these types are used")]

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, ToSchema)]
    #[serde(rename = "act", rename_all = "snake_case")]
    #[schema(title = "act", example = json!({ "act": "vote" }))]
    enum Act {
        Vote(Cast),
        /// Changes a list.
        ToList(Change),
        #[serde(other, skip_serializing)]
        Other,
    }

    /// Votes.
    #[derive(Deserialize, ToSchema)]
    struct Cast {
        /// The vote.
        vote: Option<bool>,
        thumb: Option<Thumb>,
    }

    /// Up or down.
    #[derive(Deserialize, ToSchema)]
    #[serde(rename_all = "snake_case")]
    enum Thumb {
        Up,
        Down,
    }

    #[derive(Deserialize, ToSchema)]
    #[serde(rename = "section", rename_all = "snake_case")]
    #[schema(title = "section")]
    enum Change {
        /// Adds.
        Add {
            /// Its id.
            id: u32,
        },
        Clear,
    }

    #[test]
    fn every_variant_becomes_an_object_with_its_tags() {
        let tag = |word: &str| json!({ "description": "Selects the action and its fields.", "type": "string", "enum": [word] });
        let (variants, example) = of::<Act>();
        let thumb = json!({ "type": "string", "enum": ["up", "down"] });
        let expected = [
            json!({ "type": "object", "description": "Votes.", "required": ["act"], "properties": {
                "act": tag("vote"),
                "vote": { "anyOf": [{ "type": ["integer", "boolean"], "enum": [0, 1, false, true] }, { "enum": ["", null] }], "description": "The vote." },
                "thumb": { "anyOf": [thumb, { "enum": ["", null] }], "description": "Up or down." },
            } }),
            json!({ "type": "object", "description": "Adds.", "required": ["act", "section", "id"], "properties": {
                "act": tag("to_list"), "section": tag("add"),
                "id": { "type": "integer", "minimum": 0, "maximum": u32::MAX, "description": "Its id." },
            } }),
            json!({ "type": "object", "description": "Changes a list.", "required": ["act", "section"], "properties": {
                "act": tag("to_list"), "section": tag("clear"),
            } }),
        ];
        assert_eq!(variants, expected);
        assert_eq!(example, json!({ "act": "vote" }));
    }
}
