//! Limits on the time and body size of each call.

use std::{sync::Arc, time::Duration};

use axum::http::Method;
use lantern_config::Config;
use lantern_http::envelope::{Bounds, Settings};

/// Path prefix for uploads in pieces of any size.
const UPLOADS: &str = "/api/uploads/";
/// Path of the form that may contain a whole film.
const FILMS: &str = "/api/video_edit.php";
/// Path of the form with many pictures, which are stored one after the other.
const ALBUMS: &str = "/api/album_edit.php";
/// Paths of forms with pictures. All other forms are small.
const WITH_FILES: [&str; 2] = ["/api/member.php", "/api/report.php"];

/// Returns the settings of the envelope around every request.
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

/// Returns the time limit of a call, which includes receiving the form.
fn time_limit(config: &Config, method: &Method, path: &str) -> Duration {
    // A `POST` may stand for a `PATCH`.
    if path.starts_with(UPLOADS) && *method == Method::PATCH
        || [UPLOADS, FILMS].iter().any(|films| path.starts_with(films)) && *method == Method::POST
    {
        return Duration::from_secs(3600 * u64::from(config.uploads.expire_hours));
    }
    let server = &config.server;
    let receiving = match path {
        ALBUMS => config.albums.form_seconds,
        _ if WITH_FILES.contains(&path) => server.upload_timeout,
        _ => 0,
    };
    Duration::from_secs(server.request_timeout + receiving)
}

/// Returns the maximum body size of a call in bytes.
fn body_limit(config: &Config, path: &str) -> usize {
    match path {
        _ if path.starts_with(UPLOADS) => config.uploads.max_bytes.try_into().unwrap_or(usize::MAX),
        ALBUMS => config.albums.form_bytes,
        // The handler tells a film that is too large from a form that is too large.
        FILMS => usize::MAX,
        _ if WITH_FILES.contains(&path) => config.server.form_files_limit,
        _ => config.server.body_limit,
    }
}
