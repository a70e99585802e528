//! The OpenAPI document is accurate: every operation has an id, every example works, and every response is as
//! documented.

use std::collections::HashSet;

use axum::{
    body::Body,
    http::{Method, Request},
};
use serde_json::{Map, Value, json};

use crate::{
    support::{
        App, NOW,
        contract::{assert_documented, calls, operations, request, requests, resolved},
        schema,
    },
    video::timeline,
};

/// Returns a signed film address, because the example can't contain a valid signature.
async fn film(app: &App) -> String {
    let streams = app.json("/api/videofile.php?video_id=1").await;
    let file = streams["video_url"].as_array().unwrap().iter().find(|stream| stream["type"] == "mp4").unwrap();
    let link = file["url"].as_str().unwrap().to_owned();
    let (_, path) = link.split_at(link.match_indices('/').nth(4).unwrap().0 + 1);
    app.media(path, b"a film");
    link
}

/// Returns a signed download address.
fn download(app: &App) -> String {
    app.media("demo/01/video.mp4", b"a film");
    app.state().signer.download("demo/01", "video.mp4", "quiet-river.mp4", NOW + 60).unwrap()
}

/// Returns the address of a seek bar's pictures, because the example can't know their number.
fn timeline(app: &App) -> String {
    app.media("demo/01/timeline.vtt", timeline::CUES);
    "/media/t/160x90/0/1/2/5.jpg".to_owned()
}

/// Generated clients derive the names of their methods and types from the operation id.
#[tokio::test]
async fn operation_ids_are_unique() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    let items = document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    let names: Vec<&str> = items.filter_map(|call| call["operationId"].as_str()).collect();
    let mut known = HashSet::new();
    let twice: Vec<&&str> = names.iter().filter(|name| !known.insert(**name)).collect();
    assert!(names.len() > 80 && twice.is_empty(), "{} operations, duplicates: {twice:?}", names.len());
    app.finish().await;
}

#[tokio::test]
async fn example_requests_get_documented_responses() {
    let app = App::demo().await;
    let document = app.json("/api/openapi.json").await;
    app.media("demo/01/poster.jpg", b"a picture");
    let streams = app.json("/api/videofile.php?video_id=1").await;
    let mp4 = streams["video_url"][1]["url"].as_str().unwrap();
    app.media(mp4.splitn(6, '/').nth(5).unwrap(), b"a film");
    let cues = json!([{ "from": 1000, "to": 2500, "text": "Guten Abend." }]);
    app.change(&format!("insert into captions (video_id, lang, kind, cues) values (1, 'de', 'subtitles', '{cues}')"))
        .await;
    // This is the link from the example, as if it had been mailed.
    let example = document["paths"]["/api/confirm.php"]["get"]["parameters"][0]["example"].as_str().unwrap();
    app.sql(&format!(
        "insert into mail_tokens (token_hash, user_id, purpose, created_at, expires_at)
         select sha256('{example}'), min(id), 'confirm', to_timestamp(0), to_timestamp({NOW} + 1) from users"
    ))
    .await;
    let mut sent = 0;
    for (template, operation) in operations(&document) {
        let paths = match template {
            _ if template.starts_with("/media/s/") => vec![film(&app).await],
            _ if template.starts_with("/media/d/") => vec![download(&app)],
            _ if template.starts_with("/media/t/") => vec![timeline(&app)],
            _ => requests(template, operation),
        };
        for path in paths {
            let reply = app.get(&path).await;
            // Some operations redirect, and a provider that is not configured returns 404.
            let responses = &operation["responses"];
            let missing = resolved(&document, &responses["404"]);
            let off = &missing["content"]["application/json"]["examples"]["not_configured"];
            let expected = if off.is_object() {
                404
            } else if responses["200"].is_object() {
                200
            } else {
                303
            };
            assert_eq!(reply.status, expected, "{path}: {}", reply.text());
            assert_documented(&document, operation, &path, &reply);
            if operation["responses"]["200"]["headers"]["ETag"].is_object() {
                let again = app.send(Method::GET, &path, &[("if-none-match", reply.header("etag"))]).await;
                assert_eq!(again.status, 304, "{path}");
            }
            let other = app.send(Method::DELETE, &path, &[]).await;
            other.refused(405, "method_not_allowed");
            let long =
                app.get(&format!("{path}{}x={}", if path.contains('?') { '&' } else { '?' }, "x".repeat(9000))).await;
            assert_documented(&document, operation, &path, &long);
            assert_eq!(long.status, 414);
            sent += 1;
        }
    }
    assert!(sent > 40, "{sent} requests");
    app.finish().await;
}

#[tokio::test]
async fn invalid_parameters_get_documented_errors() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    for (template, operation) in operations(&document) {
        for (at, param) in operation["parameters"].as_array().into_iter().flatten().enumerate() {
            for wrong in ["wrong.", "-1", "%ff", "%00", "99999999999999999999"] {
                let mut params: Vec<Value> = operation["parameters"].as_array().unwrap().clone();
                params[at]["example"] = wrong.into();
                params[at].as_object_mut().unwrap().remove("examples");
                let params: Vec<&Value> = params.iter().collect();
                // The path is already percent-encoded.
                let path = request(template, &params, "all").replace("%25", "%");
                let reply = app.get(&path).await;
                assert_documented(&document, operation, &path, &reply);
                // oEmbed requires 501 for an unsupported format.
                assert!(reply.status < 500 || reply.status == 501 && template == "/oembed", "{path}");
                assert!(param["in"] == "query" || reply.status >= 400, "{path} is accepted");
            }
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn without_the_engine_operations_get_documented_503() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    if !app.stop_engine().await {
        return;
    }
    let mut unavailable = 0;
    for (template, operation) in operations(&document) {
        for path in requests(template, operation) {
            let reply = app.get(&path).await;
            assert_documented(&document, operation, &path, &reply);
            unavailable += u32::from(reply.status == 503);
        }
    }
    assert!(unavailable > 10, "{unavailable} operations need the engine");
}

#[test]
fn response_examples_conform_to_their_schemas() {
    let document = lantern_site::document(&lantern_config::Config::default());
    for (template, operation) in calls(&document) {
        for (status, answer) in operation["responses"].as_object().unwrap() {
            for (kind, content) in resolved(&document, answer)["content"].as_object().into_iter().flatten() {
                let several = content["examples"].as_object().into_iter().flat_map(Map::values);
                let examples: Vec<&Value> = content
                    .get("example")
                    .into_iter()
                    .chain(several.map(|one| &resolved(&document, one)["value"]))
                    .collect();
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
async fn member_operations_refuse_guests_as_documented() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    for (template, item) in document["paths"].as_object().unwrap() {
        for (method, call) in item.as_object().unwrap().iter().filter(|(_, call)| call["security"].is_array()) {
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let reply = app.send(method.clone(), template, &[]).await;
            if method == Method::HEAD {
                assert_eq!((reply.status, reply.text().as_str()), (401, ""), "{template}");
                continue;
            }
            reply.refused(401, "need_auth");
            assert_documented(&document, call, template, &reply);
        }
    }
    app.finish().await;
}

#[tokio::test]
async fn forms_of_pages_get_documented_responses() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    let post = async |template: &str, path: &str, headers: &[(&str, &str)], body: &'static str, status: u16| {
        let mut request = Request::post(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let reply = app.call(request.body(Body::from(body)).unwrap()).await;
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
        assert_documented(&document, &document["paths"][template]["post"], path, &reply);
    };
    let (player, form) = ("/embed/{id}/", ("content-type", "application/x-www-form-urlencoded"));
    for (path, status) in [("/embed/4/", 200), ("/embed/41/", 403), ("/embed/999999/", 404), ("/embed/50/", 410)] {
        post(player, path, &[], "", status).await;
    }
    post(player, "/embed/4/", &[("sec-fetch-site", "cross-site")], "", 403).await;
    for (body, status) in [("to=%2Fvideos%2F4%2F", 303), ("to=%2F%2Fevil.example", 400), ("", 400), ("to=%zz", 400)] {
        post("/agree/", "/agree/", &[form], body, status).await;
    }
    post("/agree/", "/agree/", &[form, ("sec-fetch-site", "cross-site")], "to=%2F", 403).await;
    post("/agree/", "/agree/", &[("content-type", "application/json")], "{\"to\": 5}", 422).await;
    post("/agree/", "/agree/", &[("content-type", "text/plain")], "to=%2F", 415).await;
    app.finish().await;
}

#[tokio::test]
async fn files_get_documented_full_and_partial_responses() {
    let app = App::start().await;
    let document = app.json("/api/openapi.json").await;
    app.media("demo/01/poster.jpg", b"0123456789");
    let path = "/media/p/demo/01/poster.jpg";
    let get = &document["paths"]["/media/p/{path}"]["get"];
    let past = "Thu, 01 Jan 1970 00:00:00 GMT";
    let future = "Fri, 01 Jan 2100 00:00:00 GMT";
    for (header, value, status) in [
        ("accept", "*/*", 200),
        ("range", "bytes=2-4", 206),
        ("if-modified-since", future, 304),
        ("if-unmodified-since", past, 412),
        ("range", "bytes=10-", 416),
        ("range", "bytes=0-1,4-5", 200),
    ] {
        let reply = app.send(Method::GET, path, &[(header, value)]).await;
        assert_eq!(reply.status, status, "{header}: {value}");
        assert_documented(&document, get, path, &reply);
    }
    let film = &document["paths"]["/media/s/{expires}/{signature}/{path}"]["get"];
    let (zeros, forged) = ("0".repeat(64), "/media/s/1/x/demo/01/video.mp4");
    for (path, operation, code, status) in [
        ("/media/p/demo/01/shot-1-320.webp", get, "file_not_found", 404),
        ("/media/p/demo/01/video.mp4", get, "file_not_found", 404),
        ("/media/p/%ff", get, "malformed", 400),
        (forged, film, "dont_have_permission", 403),
        (&format!("/media/s/1900000000/{zeros}/demo/01/video.mp4"), film, "dont_have_permission", 403),
        (&format!("/media/s/x/{zeros}/demo/01/video.mp4"), film, "file_not_found", 404),
        (&format!("/media/s/1/{zeros}/%ff"), film, "malformed", 400),
    ] {
        let reply = app.get(path).await;
        reply.refused(status, code);
        assert_documented(&document, operation, path, &reply);
    }
    app.send(Method::POST, path, &[]).await.refused(405, "method_not_allowed");
    app.finish().await;
}

#[test]
fn schemas_and_operations_have_descriptions() {
    let document = lantern_site::document(&lantern_config::Config::default());
    let has_description = |value: &Value| value["description"].as_str().is_some_and(|text| !text.trim().is_empty());
    let mut bare = Vec::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if !has_description(schema) {
            bare.push(name.clone());
        }
        let variants = schema["oneOf"].as_array().into_iter().flatten();
        for (member, property) in variants.chain([schema]).filter_map(|one| one["properties"].as_object()).flatten() {
            if !has_description(property) {
                bare.push(format!("{name}.{member}"));
            }
        }
    }
    for (template, operation) in calls(&document) {
        let answers = operation["responses"].as_object().unwrap().values().map(|answer| resolved(&document, answer));
        let headers = answers.clone().filter_map(|answer| answer["headers"].as_object()).flatten();
        let params = operation["parameters"].as_array().into_iter().flatten();
        let fields = operation["requestBody"]["content"].as_object().into_iter().flatten();
        let fields =
            fields.filter_map(|(_, kind)| resolved(&document, &kind["schema"])["properties"].as_object()).flatten();
        let named = headers.chain(fields).map(|(_, value)| resolved(&document, value));
        bare.extend(
            answers
                .chain(params)
                .chain(named)
                .filter(|value| !has_description(value))
                .map(|value| format!("{template} {value}")),
        );
    }
    assert!(bare.is_empty(), "no description: {bare:#?}");
}

/// Examples for codes are existing codes, and examples for counts use existing filters.
#[test]
fn examples_use_existing_codes_and_filters() {
    let document = lantern_site::document(&lantern_config::Config::default());
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut checked = 0;
    for (name, schema) in schemas {
        for (member, property) in schema["properties"].as_object().into_iter().flatten() {
            // `avatar` is both a filter and a picture.
            let codes = if member == "avatar" { Vec::new() } else { lantern_config::labels::codes(member) };
            let Some(example) = property["examples"][0].as_str().filter(|_| !codes.is_empty()) else { continue };
            assert!(codes.contains(&example), "{name}.{member}: {example} is none of {codes:?}");
            checked += 1;
        }
    }
    assert!(checked > 8, "{checked} members have codes");
    let keys = |name: &str, member: &str| -> Vec<String> {
        let example = schemas[name]["properties"][member]["examples"][0].as_object().unwrap();
        example.keys().cloned().collect()
    };
    for member in ["facets", "stats"] {
        for key in keys("MembersAnswer", member) {
            assert!(key.parse::<lantern_config::MemberFilter>().is_ok(), "members have no {key}");
        }
        for key in keys("ModelsAnswer", member) {
            assert!(key.parse::<lantern_config::ModelFilter>().is_ok(), "models have no {key}");
        }
    }
    assert_eq!(schemas["Model"]["properties"]["height"]["description"], "Centimetres.");
}
