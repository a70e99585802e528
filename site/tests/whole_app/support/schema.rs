//! Validates values against the part of JSON Schema that the OpenAPI document uses. The run over generated requests
//! (`./dev properties`) uses a complete implementation.

use serde_json::Value;

/// Returns the errors in `value`, each with its path, or nothing if `value` conforms.
pub fn errors(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(document, schema, value, "$", &mut found);
    found
}

fn check(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference} does not exist"));
        check(document, target, value, at, found);
    }
    if let Some(variants) = schema["oneOf"].as_array() {
        let tried = variants.iter().map(|variant| errors(document, variant, value));
        let fits = tried.filter(Vec::is_empty).count();
        if fits != 1 {
            found.push(format!("{at}: {fits} variants fit {value}"));
        }
    }
    if schema["type"] != Value::Null && !kinds(&schema["type"]).any(|kind| is(kind, value)) {
        found.push(format!("{at}: {value} is not of type {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        found.push(format!("{at}: {value} is none of {}", schema["enum"]));
    }
    bounds(schema, value, at, found);
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        check(document, &schema["items"], item, &format!("{at}[{index}]"), found);
    }
    object(document, schema, value, at, found);
}

fn bounds(schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(number) = value.as_f64() else { return };
    let outside =
        |key: &str, wrong: fn(f64, f64) -> bool| schema[key].as_f64().is_some_and(|bound| wrong(number, bound));
    if outside("minimum", |number, bound| number < bound) || outside("maximum", |number, bound| number > bound) {
        found.push(format!("{at}: {value} is out of range"));
    }
}

fn object(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(members) = value.as_object() else { return };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !members.contains_key(name) {
            found.push(format!("{at}: {name} is missing"));
        }
    }
    for (name, member) in members {
        let at = format!("{at}.{name}");
        match (&schema["properties"][name], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => found.push(format!("{at} is not documented")),
            (Value::Null, Value::Null | Value::Bool(true)) => {}
            (Value::Null, others) => check(document, others, member, &at, found),
            (known, _) => check(document, known, member, &at, found),
        }
    }
}

fn kinds(kind: &Value) -> impl Iterator<Item = &str> {
    kind.as_str().into_iter().chain(kind.as_array().into_iter().flatten().filter_map(Value::as_str))
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("unknown type: {other}"),
    }
}
