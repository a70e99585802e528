//! Builds the OpenAPI document from the descriptions of all calls, and serves it at `GET /api/openapi.json`.

use std::sync::{Arc, OnceLock};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_accounts::session;
use lantern_config::{
    AlbumSort, CategorySection, CommentSection, CommentSort, Config, DateRange, Digest, Gender, Lang, MemberGender,
    MemberList, MemberSort, ModelSort, NotificationKind, Orientation, PlaylistSort, Relationship, VideoSort, VideoType,
};
use lantern_errors::ApiResult;
use lantern_http::{
    cache,
    openapi::{Doc, ErrorBody, errors, schemas},
};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::kinds;

const ABOUT: &str = "\
Everything a visitor can read and a member can do. One path segment may hold several parameters.

- Unknown query parameters are ignored. If one is repeated, the first counts; an empty one counts as absent.
- An invalid path segment is answered with 404, an invalid query parameter with 422, a broken encoding with 400. Any \
method other than those documented (and `HEAD`) is answered with 405 and the code `method_not_allowed`.
- Every other address is a page: a screen of the app, a redirect to one, a file of the app, or nothing. `x-pages` \
describes the responses of each kind.
- Errors are JSON, except on pages, which are HTML. A 5xx never shows internals; the log has them under `request_id`.
- Numbers have one spelling: no sign, no leading zero. Dates are RFC 3339 in UTC. Ratings range from 0 to 5.
- A field that may be null is always present; one that may be omitted is never null.
- Responses below `/api/json/` are cacheable: they carry an `ETag`, and a matching `If-None-Match` gets 304. An empty \
results page is 200 with a `code` such as `videos_not_found`.
- Forms may be sent URL-encoded, as multipart or as a flat JSON object; an invalid field is answered with 422 and named. \
A form is refused with `cross_site` if the browser reports that another site's page sent it.";

const TAGS: [(&str, &str); 9] = [
    ("lists", "Lists of videos, albums, models, playlists and members, and the frame of every page."),
    ("objects", "One video, album, model, playlist or member."),
    ("community", "Comments, subscriptions and friends."),
    ("account", "Sign-up, sign-in and the account itself."),
    ("actions", "Actions of members: votes, lists, comments, reports."),
    ("member", "Visible to the member only: own lists, messages, profile."),
    ("uploads", "Uploads of films over tus 1.0."),
    ("search", "Search by query and as you type; responses are not cacheable."),
    ("site", "For players, other sites, crawlers and operators."),
];

/// Builds the OpenAPI document of these calls.
pub fn build(config: &Config, docs: &[Doc]) -> Value {
    let mut schemas = schemas::exact(&derived(docs));
    schemas.extend(docs.iter().filter_map(Doc::form));
    let mut paths = Map::new();
    for doc in docs {
        let mut item = doc.path_item();
        let calls = item.as_object_mut().into_iter().flat_map(Map::values_mut);
        for answer in calls.filter_map(|call| call["responses"].as_object_mut()).flat_map(Map::values_mut) {
            let Some(content) = answer.pointer_mut("/content/application~1json") else { continue };
            if content.get("example").is_none() && content.get("examples").is_none() {
                content["example"] = schemas::example(&content["schema"], &schemas);
            }
        }
        match (paths.get_mut(doc.template()).and_then(Value::as_object_mut), item) {
            (Some(known), Value::Object(more)) => known.extend(more),
            (_, item) => {
                paths.insert(doc.template().to_owned(), item);
            }
        }
    }
    let tags: Vec<Value> = TAGS.iter().map(|(name, about)| json!({ "name": name, "description": about })).collect();
    let mut document = json!({
        "openapi": "3.1.0",
        "info": { "title": "Lantern", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT,
            "license": { "name": "MIT", "identifier": "MIT" } },
        "servers": [{ "url": "/", "description": "The site itself." }],
        "tags": tags,
        "paths": paths,
        "x-pages": kinds::kinds(),
    });
    let mut components = errors::shared(&mut document);
    components["schemas"] = Value::Object(schemas);
    components["securitySchemes"] = json!({ "session": { "type": "apiKey", "in": "cookie",
        "name": session::cookie_name(config), "description": "Set by `login.php`." } });
    document["components"] = components;
    document
}

/// Returns the derived schemas of all answers, errors and vocabularies, keyed by name.
fn derived(docs: &[Doc]) -> Map<String, Value> {
    let mut found = Vec::new();
    with::<ErrorBody<'_>>(&mut found);
    with::<Lang>(&mut found);
    with::<Gender>(&mut found);
    with::<VideoSort>(&mut found);
    with::<AlbumSort>(&mut found);
    with::<ModelSort>(&mut found);
    with::<PlaylistSort>(&mut found);
    with::<MemberSort>(&mut found);
    with::<VideoType>(&mut found);
    with::<DateRange>(&mut found);
    with::<CommentSection>(&mut found);
    with::<CommentSort>(&mut found);
    with::<NotificationKind>(&mut found);
    with::<Digest>(&mut found);
    with::<CategorySection>(&mut found);
    with::<MemberGender>(&mut found);
    with::<Relationship>(&mut found);
    with::<Orientation>(&mut found);
    with::<MemberList>(&mut found);
    let of_answers = docs.iter().flat_map(Doc::schemas).cloned();
    let mut all: Vec<(String, Value)> =
        found.into_iter().chain(of_answers).map(|(name, schema)| (name, json!(schema))).collect();
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all.into_iter().collect()
}

fn with<T: ToSchema>(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
    schemas.push((T::name().into_owned(), T::schema()));
    T::schemas(schemas);
}

/// Bytes of the document, which are serialized at the first request and stay constant for the life of the process.
#[derive(Clone, Default)]
pub struct DocumentBytes(Arc<OnceLock<(Bytes, HeaderValue)>>);

impl DocumentBytes {
    /// Returns the document, which `build` creates once.
    pub fn answer(&self, build: impl FnOnce() -> Value, headers: &HeaderMap) -> ApiResult<Response> {
        let (bytes, etag) = match self.0.get() {
            Some(written) => written,
            None => {
                let bytes = Bytes::from(serde_json::to_vec(&build())?);
                let etag = cache::etag(&bytes)?;
                self.0.get_or_init(|| (bytes, etag))
            }
        };
        let keep = HeaderValue::from_static("public, max-age=3600");
        let fixed = [(header::ETAG, etag.clone()), (header::CACHE_CONTROL, keep), (header::VARY, cache::VARY)];
        if cache::matches(headers, etag) {
            return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
        }
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        Ok((fixed, kind, Body::from(bytes.clone())).into_response())
    }
}

/// Describes this call in the document.
pub fn doc(_: &Config) -> Doc {
    let schema = json!({ "type": "object", "required": ["openapi", "info", "paths"] });
    let example = json!({ "openapi": "3.1.0", "info": { "title": "Lantern", "version": env!("CARGO_PKG_VERSION") }, "paths": {} });
    Doc::new("site", "openapi", "/api/openapi.json", "This document")
        .answers_with("OpenAPI 3.1.", "application/json", &schema, &example)
        .cache_control("public, max-age=3600")
        .tagged()
}
