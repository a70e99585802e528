//! Warming of the caches, by requesting pages before the first visitors do. First searches read from disk, and the
//! first facet counts on an index decode its facets, which takes longer than a search may.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::header,
};
use lantern_config::{Gender, VideoSort};
use lantern_http::cookies::AGE_AGREED;
use lantern_site::Site;
use tower::ServiceExt;

/// Pages to request: one listing of each kind, because listings of one kind count the same facets, then a search and a
/// suggestion. The words of these two are long enough for the engine to build its automata for one typo and for two. It
/// doesn't matter whether titles contain these words.
const PAGES: [&str; 8] = [
    "/",
    "/categories/",
    "/models/alphabet/1/",
    "/albums/latest-updates/1/",
    "/playlists/latest-updates/1/",
    "/community/recent/1/",
    "/search/1/?s=mountain+waterfall",
    "/api/suggester.php?c=waterfall",
];
/// Time limit, after which the site starts with cold caches. The million videos in docs/FIGURES.md need a tenth of it
/// when read from a cold disk.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Pause before retrying a page whose searches timed out. What they have read is then cached.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Requests every page, retrying server errors, and returns the number of pages that didn't return 200 within
/// [`TIME_LIMIT`].
pub async fn pages(site: &Site) -> usize {
    let deadline = tokio::time::Instant::now() + TIME_LIMIT;
    let mut cold = 0;
    // Videos are requested in every sort order, because each order reads a B-tree of its own.
    let videos = VideoSort::ALL.iter().filter(|sort| **sort != VideoSort::Relevance);
    let videos: Vec<String> = videos.map(|sort| format!("/videos/{sort}/1/")).collect();
    for gender in Gender::ALL {
        for page in PAGES.into_iter().chain(videos.iter().map(String::as_str)) {
            let separator = if page.contains('?') { '&' } else { '?' };
            let page = format!("{page}{separator}gender={gender}");
            let warm = tokio::time::timeout_at(deadline, warm(site, &page)).await;
            cold += usize::from(!warm.unwrap_or(false));
        }
    }
    cold
}

/// Requests the page until it returns something other than a server error. Returns whether the status was a success.
async fn warm(site: &Site, page: &str) -> bool {
    loop {
        // The request passes the age gate, because nothing is searched before it.
        let request = Request::get(page).header(header::COOKIE, format!("{AGE_AGREED}=1")).body(Body::empty());
        let Ok(request) = request else { return false };
        let Ok(response) = site.clone().oneshot(request).await;
        let status = response.status();
        if to_bytes(response.into_body(), usize::MAX).await.is_ok() && !status.is_server_error() {
            return status.is_success();
        }
        tracing::debug!(page, %status, "not warm yet");
        tokio::time::sleep(RETRY_AFTER).await;
    }
}
