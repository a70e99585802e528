//! Reads the OpenAPI document: its operations, their example requests, and whether a response matches its description.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{Reply, schema};

/// Returns every operation with its path.
pub fn calls(document: &Value) -> Vec<(&String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, item)| item.as_object().unwrap().values().map(move |call| (path, call))).collect()
}

/// Returns the GET operations that need no session. Operations for members have separate tests.
pub fn operations(document: &Value) -> Vec<(&String, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .map(|(path, item)| (path, &item["get"]))
        .filter(|(_, get)| get.is_object() && get["security"].is_null())
        .collect()
}

/// Returns the example requests for an operation: either one, or one for each named example.
pub fn requests(template: &str, operation: &Value) -> Vec<String> {
    let params: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
    let named = params.iter().filter_map(|param| param["examples"].as_object()).flat_map(Map::keys);
    let mut names: BTreeSet<&str> = named.map(String::as_str).collect();
    if names.is_empty() {
        names.insert("");
    }
    names.into_iter().map(|name| request(template, &params, name)).collect()
}

pub fn request(template: &str, params: &[&Value], name: &str) -> String {
    let (mut path, mut query) = (template.to_owned(), Vec::new());
    for param in params {
        let value = if param["examples"].is_object() { &param["examples"][name]["value"] } else { &param["example"] };
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let key = param["name"].as_str().unwrap();
        let spelled: String = text.bytes().map(spell).collect();
        if param["in"] == "path" {
            path = path.replace(&format!("{{{key}}}"), &spelled);
        } else {
            query.push(format!("{key}={spelled}"));
        }
    }
    if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
}

fn spell(byte: u8) -> String {
    if byte.is_ascii_alphanumeric() || b"-_.~,".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}

pub fn resolved<'a>(document: &'a Value, answer: &'a Value) -> &'a Value {
    answer["$ref"].as_str().map_or(answer, |reference| document.pointer(&reference[1..]).unwrap())
}

/// Asserts that the operation documents the response: status, content type and, for JSON, schema.
#[track_caller]
pub fn assert_documented(document: &Value, operation: &Value, path: &str, reply: &Reply) {
    let answer = resolved(document, &operation["responses"][reply.status.to_string()]);
    assert!(answer.is_object(), "{path}: {} is not documented: {}", reply.status, reply.text());
    let Some(contents) = answer["content"].as_object() else {
        assert!(reply.body.is_empty(), "{path}: body is not documented");
        return;
    };
    let kind = reply.header("content-type").split(';').next().unwrap();
    let content = contents.get(kind).unwrap_or_else(|| panic!("{path}: {kind} is not documented"));
    if kind == "application/json" {
        let errors = schema::errors(document, &content["schema"], &reply.json());
        assert!(errors.is_empty(), "{path}: {errors:#?}");
    }
}
