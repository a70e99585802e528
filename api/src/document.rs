//! The OpenAPI document, assembled from the documentation of each call in the route table, and `GET /api/openapi.json`.

use std::sync::{Arc, OnceLock};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
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

use crate::{account::session, page, router};

const ABOUT: &str = "\
Everything a visitor can read and a member can do. A path segment may hold several parameters.

- Unknown query parameters are ignored. The first of a repeated parameter counts, and an empty one counts as absent.
- An invalid path segment is 404, an invalid query parameter 422, a broken encoding 400. A method that is neither documented \
nor `HEAD` is 405 with the code `method_not_allowed`.
- Every other address is a page: a screen of the app, a redirect to one, a file of the app, or not found. `x-pages` describes \
the responses of each kind.
- Errors are JSON, except on pages for people. A 5xx never reveals internals; look up its `request_id` in the log.
- Numbers have one spelling: no sign, no leading zero. Dates are RFC 3339 in UTC. Ratings range from 0 to 5.
- A nullable member is always present; an optional one is never null.
- Responses below `/api/json/` are cacheable: they have an `ETag`, and `If-None-Match` can turn them into 304. An empty page of \
a list is 200 with a `code` such as `videos_not_found`.
- Forms may be urlencoded, multipart or a flat JSON object; an invalid field is 422 and named. Forms are refused with \
`cross_site` if the browser reports that a page of another site sent them.";

const TAGS: [(&str, &str); 9] = [
    ("lists", "Lists of videos, albums, models, playlists and members, and the data every page needs."),
    ("objects", "Single videos, albums, models, playlists and members."),
    ("community", "Comments, subscriptions and friendships."),
    ("account", "Sign-up, sign-in, and account settings."),
    ("actions", "Actions of members: votes, lists, comments, reports."),
    ("member", "Private data of a member: lists, messages, profile."),
    ("uploads", "Film uploads with tus 1.0."),
    ("search", "Searches and suggestions; not cached."),
    ("site", "For players, other sites, crawlers and operators."),
];

/// Builds the document for these settings.
pub fn document(config: &Config) -> Value {
    let docs = router::docs(config);
    let mut schemas = schemas::exact(&derived(&docs));
    schemas.extend(docs.iter().filter_map(Doc::form));
    let mut paths = Map::new();
    for doc in &docs {
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
        "x-pages": page::kinds(),
    });
    let mut components = errors::shared(&mut document);
    components["schemas"] = Value::Object(schemas);
    components["securitySchemes"] = json!({ "session": { "type": "apiKey", "in": "cookie",
        "name": session::cookie_name(config), "description": "Cookie set by `login.php`." } });
    document["components"] = components;
    document
}

/// Returns the derived schemas of all responses, errors and vocabularies, sorted by name.
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

/// The serialized document, built at the first request and cached for the lifetime of the process.
#[derive(Clone, Default)]
pub struct DocumentBytes(Arc<OnceLock<(Bytes, HeaderValue)>>);

impl DocumentBytes {
    pub fn answer(&self, config: &Config, headers: &HeaderMap) -> ApiResult<Response> {
        let (bytes, etag) = match self.0.get() {
            Some(written) => written,
            None => {
                let bytes = Bytes::from(serde_json::to_vec(&document(config))?);
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

/// Returns the documentation of the call.
pub fn doc(_: &Config) -> Doc {
    let schema = json!({ "type": "object", "required": ["openapi", "info", "paths"] });
    let example = json!({ "openapi": "3.1.0", "info": { "title": "Lantern", "version": env!("CARGO_PKG_VERSION") }, "paths": {} });
    Doc::new("site", "openapi", "/api/openapi.json", "This document")
        .answers_with("OpenAPI 3.1.", "application/json", &schema, &example)
        .cache_control("public, max-age=3600")
        .tagged()
}
