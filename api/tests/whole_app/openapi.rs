//! The document says what the API does: every call is in it, every example works, every answer is as documented.

use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::{Map, Value};

use crate::support::{App, Reply, schema};

/// Every call, with its address.
fn calls(document: &Value) -> Vec<(&String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, item)| item.as_object().unwrap().values().map(move |call| (path, call))).collect()
}

/// The calls that anybody may read; those of members have tests of their own.
fn operations(document: &Value) -> Vec<(&String, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths
        .map(|(path, item)| (path, &item["get"]))
        .filter(|(_, get)| get.is_object() && get["security"].is_null())
        .collect()
}

/// The documented requests of a call: one, or one for each name its examples have.
fn requests(template: &str, operation: &Value) -> Vec<String> {
    let params: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
    let named = params.iter().filter_map(|param| param["examples"].as_object()).flat_map(Map::keys);
    let mut names: BTreeSet<&str> = named.map(String::as_str).collect();
    if names.is_empty() {
        names.insert("");
    }
    names.into_iter().map(|name| request(template, &params, name)).collect()
}

fn request(template: &str, params: &[&Value], name: &str) -> String {
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

fn resolved<'a>(document: &'a Value, answer: &'a Value) -> &'a Value {
    answer["$ref"].as_str().map_or(answer, |reference| document.pointer(&reference[1..]).unwrap())
}

/// The answer must be one that the call has: status, type and, for JSON, schema.
#[track_caller]
fn documented(document: &Value, operation: &Value, path: &str, reply: &Reply) {
    let answer = resolved(document, &operation["responses"][reply.status.to_string()]);
    assert!(answer.is_object(), "{path}: {} is not documented: {}", reply.status, reply.text());
    let Some(contents) = answer["content"].as_object() else {
        assert!(reply.body.is_empty(), "{path}: a body nobody documented");
        return;
    };
    let kind = reply.header("content-type").split(';').next().unwrap();
    let content = contents.get(kind).unwrap_or_else(|| panic!("{path}: {kind} is not documented"));
    if kind == "application/json" {
        let errors = schema::errors(document, &content["schema"], &reply.json());
        assert!(errors.is_empty(), "{path}: {errors:#?}");
    }
}

#[tokio::test]
async fn every_documented_request_is_answered_as_documented() {
    let app = App::demo().await;
    let document = app.json("/api/openapi.json").await;
    let mut sent = 0;
    for (template, operation) in operations(&document) {
        for path in requests(template, operation) {
            let reply = app.get(&path).await;
            // Links of mails lead elsewhere, and a provider that is not configured has nothing to tell.
            let responses = &operation["responses"];
            let off = &responses["404"]["content"]["application/json"]["examples"]["not_configured"];
            let expected = if off.is_object() {
                404
            } else if responses["200"].is_object() {
                200
            } else {
                303
            };
            assert_eq!(reply.status, expected, "{path}: {}", reply.text());
            documented(&document, operation, &path, &reply);
            if operation["responses"]["304"].is_object() {
                let again = app.send(Method::GET, &path, &[("if-none-match", reply.header("etag"))]).await;
                assert_eq!(again.status, 304, "{path}");
            }
            let other = app.send(Method::DELETE, &path, &[]).await;
            other.refused(405, "method_not_allowed");
            let long =
                app.get(&format!("{path}{}x={}", if path.contains('?') { '&' } else { '?' }, "x".repeat(9000))).await;
            documented(&document, operation, &path, &long);
            assert_eq!(long.status, 414);
            sent += 1;
        }
    }
    assert!(sent > 40, "{sent} requests");
    app.finish().await;
}

#[tokio::test]
async fn what_is_refused_is_refused_as_documented() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    for (template, operation) in operations(&document) {
        for (at, param) in operation["parameters"].as_array().into_iter().flatten().enumerate() {
            for wrong in ["wrong.", "-1", "%ff", "%00", "99999999999999999999"] {
                let mut params: Vec<Value> = operation["parameters"].as_array().unwrap().clone();
                params[at]["example"] = wrong.into();
                params[at].as_object_mut().unwrap().remove("examples");
                let params: Vec<&Value> = params.iter().collect();
                // Already spelled.
                let path = request(template, &params, "all").replace("%25", "%");
                let reply = app.get(&path).await;
                documented(&document, operation, &path, &reply);
                assert!(reply.status < 500, "{path}");
                assert!(param["in"] == "query" || reply.status >= 400, "{path} is accepted");
            }
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn while_the_engine_is_away_every_call_says_so_as_documented() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    if !app.stop_engine().await {
        return;
    }
    let mut away = 0;
    for (template, operation) in operations(&document) {
        for path in requests(template, operation) {
            let reply = app.get(&path).await;
            documented(&document, operation, &path, &reply);
            away += u32::from(reply.status == 503);
        }
    }
    assert!(away > 10, "{away} calls need the engine");
}

#[test]
fn every_example_of_an_answer_is_what_its_schema_says() {
    let document = lantern_api::openapi::document(&lantern_config::Config::default());
    for (template, operation) in calls(&document) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            for (kind, content) in resolved(&document, answer)["content"].as_object().into_iter().flatten() {
                let several = content["examples"].as_object().into_iter().flat_map(Map::values);
                let examples: Vec<&Value> =
                    content.get("example").into_iter().chain(several.map(|one| &one["value"])).collect();
                assert!(!examples.is_empty(), "{template} {status} {kind} has no example");
                for example in examples {
                    let errors = schema::errors(&document, &content["schema"], example);
                    assert!(errors.is_empty(), "{template} {status}: {errors:#?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn what_is_for_members_is_refused_to_guests_as_documented() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    for (template, item) in document["paths"].as_object().unwrap() {
        for (method, call) in item.as_object().unwrap().iter().filter(|(_, call)| call["security"].is_array()) {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let reply = app.send(method, template, &[]).await;
            reply.refused(401, "need_auth");
            documented(&document, call, template, &reply);
        }
    }
    app.finish().await;
}

/// A route made by hand instead of through the table is one that the document doesn't know.
#[test]
fn no_route_is_made_beside_the_table() {
    let sources = concat!(include_str!("../../src/router.rs"), include_str!("../../src/pages/mod.rs"));
    let routes: Vec<&str> = sources.split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert_eq!(routes, ["/agree/"], "the form of the age gate is no read");
}
