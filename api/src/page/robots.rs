//! `GET /robots.txt`

use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};

use super::show;
use crate::state::AppState;

/// Pages may be read, searches among them: only who reads one sees that it is not to be kept (`noindex`). Calls that cost a search
/// may not, nor the form of the age gate.
pub async fn robots(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let origin = show::origin(&state, &headers);
    let text = format!(
        "User-agent: *\nDisallow: /api/videos2.php\nDisallow: /api/suggester.php\n\
         Disallow: /agree/\n\nSitemap: {origin}/sitemap.xml\n"
    );
    ([(header::CACHE_CONTROL, "public, max-age=86400")], text).into_response()
}
