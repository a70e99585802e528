//! Makes derived schemas exact: closes objects, marks nullable members as required, and builds examples.
//!
//! The derive cannot know the API's rule for members. A nullable member is always present. A member that may be omitted
//! (`skip_serializing_if`) is never null and has the attribute `#[schema(nullable = false)]`.

use serde_json::{Map, Value, json};

/// Prefix of references to schemas.
const COMPONENTS: &str = "#/components/schemas/";

/// Returns the exact schemas by name.
pub fn exact(derived: &Map<String, Value>) -> Map<String, Value> {
    derived.iter().map(|(name, schema)| (name.clone(), exact_schema(schema, derived))).collect()
}

fn exact_schema(schema: &Value, all: &Map<String, Value>) -> Value {
    let mut schema = flat(schema, all);
    for key in ["items", "additionalProperties"] {
        if schema[key].is_object() {
            schema[key] = exact_schema(&schema[key], all);
        }
    }
    for key in ["oneOf", "anyOf"] {
        for one in schema[key].as_array_mut().into_iter().flatten() {
            *one = exact_schema(one, all);
        }
    }
    describe(&mut schema);
    // JSON Schema has a list of examples, whereas the derive writes the single example of OpenAPI 3.0.
    if let Some(example) = schema.as_object_mut().and_then(|schema| schema.remove("example")) {
        schema["examples"] = json!([example]);
    }
    // These formats are not registered, and the bounds express the same.
    if schema["format"].as_str().is_some_and(|format| format.starts_with("u-int")) {
        schema["format"] = Value::Null;
    }
    if schema["properties"].is_object() {
        close(&mut schema, all);
    }
    if let Some(members) = schema.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    schema
}

/// Moves the description of a nullable reference to the member, because the derive puts it next to the reference.
fn describe(schema: &mut Value) {
    let variants = schema["oneOf"].as_array_mut().into_iter().flatten();
    let mut found = variants.filter(|variant| variant["$ref"].is_string());
    let (Some(variant), None) = (found.next(), found.next()) else { return };
    let about = variant.as_object_mut().and_then(|variant| variant.remove("description"));
    if let (Some(about), Value::Null) = (about, &schema["description"]) {
        schema["description"] = about;
    }
}

/// Merges the parts of a flattened struct (`allOf`) into one object.
fn flat(schema: &Value, all: &Map<String, Value>) -> Value {
    let Some(parts) = schema["allOf"].as_array() else { return schema.clone() };
    let mut whole = json!({ "type": "object", "required": [], "properties": {} });
    if let Some(description) = schema.get("description") {
        whole["description"] = description.clone();
    }
    for part in parts {
        let part = flat(resolve(part, all), all);
        for (name, property) in part["properties"].as_object().into_iter().flatten() {
            whole["properties"][name] = property.clone();
        }
        if let (Some(required), Some(more)) = (whole["required"].as_array_mut(), part["required"].as_array()) {
            required.extend(more.iter().cloned());
        }
    }
    whole
}

fn close(schema: &mut Value, all: &Map<String, Value>) {
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let before = schema["required"].as_array().cloned().unwrap_or_default();
    let mut required = Vec::new();
    for (name, property) in &properties {
        let property = exact_schema(property, all);
        if before.contains(&json!(name)) || may_be_null(&property) {
            required.push(json!(name));
        }
        schema["properties"][name] = property;
    }
    schema["required"] = json!(required);
    schema["additionalProperties"] = json!(false);
}

fn may_be_null(schema: &Value) -> bool {
    let kind = &schema["type"];
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    kind == "null"
        || kind.as_array().is_some_and(|kinds| kinds.contains(&json!("null")))
        || variants.into_iter().any(may_be_null)
}

/// Returns the schema that a reference names, or `schema` itself.
pub fn resolve<'a>(schema: &'a Value, all: &'a Map<String, Value>) -> &'a Value {
    let name = schema["$ref"].as_str().and_then(|to| to.strip_prefix(COMPONENTS));
    name.and_then(|name| all.get(name)).unwrap_or(schema)
}

/// Returns an example of the schema, built from the examples of its members.
pub fn example(schema: &Value, all: &Map<String, Value>) -> Value {
    let own = schema["examples"].as_array().and_then(|examples| examples.first());
    let first = schema["enum"].as_array().and_then(|words| words.first());
    if let Some(example) = own.or(first) {
        return example.clone();
    }
    if schema["$ref"].is_string() {
        return example(resolve(schema, all), all);
    }
    if let Some(variants) = schema["oneOf"].as_array() {
        return variants
            .iter()
            .find(|variant| variant["type"] != "null")
            .map_or(Value::Null, |variant| example(variant, all));
    }
    if schema["items"].is_object() {
        return json!([example(&schema["items"], all)]);
    }
    let Some(properties) = schema["properties"].as_object() else { return Value::Null };
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    // Omits optional members without an example.
    let shown =
        |(name, property): &(&String, &Value)| required.contains(&json!(name)) || property["examples"].is_array();
    Value::Object(
        properties.iter().filter(shown).map(|(name, property)| (name.clone(), example(property, all))).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Map<String, Value> {
        let schemas = json!({
            "Card": { "type": "object", "required": ["id"], "properties": {
                "id": { "type": "integer", "example": 7 }, "about": { "type": ["string", "null"], "example": "text" } } },
            "Deck": { "type": "object", "properties": { "top": { "oneOf": [{ "type": "null" },
                { "$ref": "#/components/schemas/Card", "description": "The uppermost." }] } } },
            "Whole": { "allOf": [{ "$ref": "#/components/schemas/Card" },
                { "type": "object", "required": ["of"], "properties": {
                    "of": { "type": "array", "items": { "$ref": "#/components/schemas/Card" } }, "code": { "type": "string" } } }] },
        });
        exact(schemas.as_object().expect("an object"))
    }

    #[test]
    fn flattened_structs_become_one_closed_object() {
        let whole = &all()["Whole"];
        assert_eq!(whole["required"], json!(["id", "about", "of"]), "nullable members are required");
        assert_eq!(whole["additionalProperties"], json!(false));
        assert!(whole["properties"]["code"].is_object() && whole.get("allOf").is_none());
    }

    #[test]
    fn nullable_references_are_described_at_the_member() {
        let card = json!({ "$ref": "#/components/schemas/Card" });
        let top = json!({ "oneOf": [{ "type": "null" }, card], "description": "The uppermost." });
        assert_eq!(all()["Deck"]["properties"]["top"], top);
    }

    #[test]
    fn examples_are_built_from_members() {
        let all = all();
        assert_eq!(
            example(&all["Whole"], &all),
            json!({ "id": 7, "about": "text", "of": [{ "id": 7, "about": "text" }] })
        );
    }
}
