//! The first pages of a site, requested before its first visitors: what a search reads for the first time comes from disk, and the
//! first counts of an index decode its facets, which takes longer than a search may.

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::header,
};
use lantern_api::{AGE_AGREED, Site};
use lantern_config::{Gender, VideoSort};
use tower::ServiceExt;

/// One of each kind of list, for lists of one kind count the same facets, then what is done with words: long enough ones, so that the
/// engine makes its tables of one slip and of two. What titles have of them doesn't matter.
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
/// A site that isn't warm by then starts as it is. The million videos of docs/FIGURES.md take a tenth of it from a cold disk.
const PATIENCE: Duration = Duration::from_secs(60);
/// Between two tries of a page whose searches were given up for taking too long; what they read stays read.
const AGAIN_AFTER: Duration = Duration::from_millis(100);

/// Asks for every page until it is answered, and says how many weren't within a minute, or not with 200.
pub async fn pages(site: &Site) -> usize {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    let mut cold = 0;
    // Videos by every order, for each reads a tree of its own.
    let videos = VideoSort::ALL.iter().filter(|sort| **sort != VideoSort::Relevance);
    let videos: Vec<String> = videos.map(|sort| format!("/videos/{sort}/1/")).collect();
    for gender in Gender::ALL {
        for page in PAGES.into_iter().chain(videos.iter().map(String::as_str)) {
            let separator = if page.contains('?') { '&' } else { '?' };
            let page = format!("{page}{separator}gender={gender}");
            let answered = tokio::time::timeout_at(deadline, answered(site, &page)).await;
            cold += usize::from(!answered.unwrap_or(false));
        }
    }
    cold
}

/// Whether it was answered with 200, once it was.
async fn answered(site: &Site, page: &str) -> bool {
    loop {
        // As somebody who has passed the gate, before which there is nothing to search.
        let request = Request::get(page).header(header::COOKIE, format!("{AGE_AGREED}=1")).body(Body::empty());
        let Ok(request) = request else { return false };
        let Ok(response) = site.clone().oneshot(request).await;
        let status = response.status();
        if to_bytes(response.into_body(), usize::MAX).await.is_ok() && !status.is_server_error() {
            return status.is_success();
        }
        tracing::debug!(page, %status, "not warm yet");
        tokio::time::sleep(AGAIN_AFTER).await;
    }
}
