//! What each call may take of time and bytes.

use std::{sync::Arc, time::Duration};

use axum::http::Method;
use lantern_config::Config;
use lantern_http::envelope::{Bounds, Settings};

/// Films come in pieces of any size.
const UPLOADS: &str = "/api/uploads/";
/// A film may come in one form.
const FILMS: &str = "/api/video_edit.php";
/// Albums come with many pictures, which are stored on the disk one after the other.
const ALBUMS: &str = "/api/album_edit.php";
/// Forms with pictures; all others are small.
const WITH_FILES: [&str; 2] = ["/api/member.php", "/api/report.php"];

/// Settings of the envelope around every request.
pub fn settings(config: &Arc<Config>) -> Settings {
    let body_timeout = Duration::from_secs(config.server.body_timeout);
    let config = Arc::clone(config);
    Settings { body_timeout, bounds: Arc::new(move |method, path| bounds(&config, method, path)) }
}

fn bounds(config: &Config, method: &Method, path: &str) -> Bounds {
    Bounds {
        time: time_limit(config, method, path),
        bytes: body_limit(config, path),
        is_resumable: path.starts_with(UPLOADS),
    }
}

/// How long a response may take; a form with pictures first has the time to arrive.
fn time_limit(config: &Config, method: &Method, path: &str) -> Duration {
    // `POST` may stand for `PATCH` there.
    if path.starts_with(UPLOADS) && *method == Method::PATCH
        || [UPLOADS, FILMS].iter().any(|films| path.starts_with(films)) && *method == Method::POST
    {
        return Duration::from_secs(3600 * u64::from(config.uploads.expire_hours));
    }
    let server = &config.server;
    let coming = match path {
        ALBUMS => config.albums.form_seconds,
        _ if WITH_FILES.contains(&path) => server.upload_timeout,
        _ => 0,
    };
    Duration::from_secs(server.request_timeout + coming)
}

/// Bytes of the largest body a call takes.
fn body_limit(config: &Config, path: &str) -> usize {
    match path {
        _ if path.starts_with(UPLOADS) => config.uploads.max_bytes.try_into().unwrap_or(usize::MAX),
        ALBUMS => config.albums.form_bytes,
        // What is too large for a film is told apart from what is too large for a form.
        FILMS => usize::MAX,
        _ if WITH_FILES.contains(&path) => config.server.form_files_limit,
        _ => config.server.body_limit,
    }
}
