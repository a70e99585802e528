//! `GET /robots.txt`: rules for crawlers.

use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use lantern_api::AppState;
use lantern_config::Config;
use lantern_http::{host, openapi::Doc};
use serde_json::json;

pub fn doc(_: &Config) -> Doc {
    let example = json!(
        "User-agent: *\nDisallow: /api/videos2.php\nDisallow: /api/suggester.php\nDisallow: /agree/\n\nSitemap: https://tube.example/sitemap.xml\n"
    );
    Doc::new("site", "robots", "/robots.txt", "What crawlers may read")
        .answers_with("Rules.", "text/plain", &json!({ "type": "string" }), &example)
        .cache_control("public, max-age=86400")
}

/// Allows all pages, even searches, because a crawler must read a page to find its `noindex`. Disallows calls that cost a search, and the
/// form of the age gate.
pub async fn robots(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let origin = host::origin(&state.config, &headers);
    let text = format!(
        "User-agent: *\nDisallow: /api/videos2.php\nDisallow: /api/suggester.php\n\
         Disallow: /agree/\n\nSitemap: {origin}/sitemap.xml\n"
    );
    ([(header::CACHE_CONTROL, "public, max-age=86400")], text).into_response()
}
