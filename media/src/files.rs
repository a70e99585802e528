//! The routes that hand out files: pictures to everyone, everything that plays to holders of a signed link.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use axum::{
    Extension, Router,
    body::Body,
    extract::{Path as UrlPath, Request, State, rejection::PathRejection},
    http::{
        HeaderMap, HeaderName, HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, IF_RANGE, RANGE, X_CONTENT_TYPE_OPTIONS},
    },
    response::{IntoResponse, Response},
    routing::get,
};
use tower::ServiceExt;
use tower_http::services::ServeFile;

use crate::{
    links::{LinkError, Signer, is_plain},
    pictures,
};

/// Who may show an answer.
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
/// Seconds a browser may store a signed file at most.
const SIGNED_CACHE_MAX: i64 = 86_400;

/// What the media routes need.
#[derive(Clone, Debug)]
pub struct MediaState {
    /// The media folder; nothing outside it is ever opened.
    pub root: PathBuf,
    /// Checks the links.
    pub signer: Signer,
    /// `Cache-Control` of pictures. They never change under their name, but they may disappear.
    pub picture_cache: HeaderValue,
    /// The time, in unix seconds.
    pub now: fn() -> i64,
}

/// What an answer is a file of, in its extensions. Whether it may be shown is not known here: the site that takes these routes
/// asks that before the answer leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Served {
    /// A picture, by its path below the media folder.
    Picture(String),
    /// A part of a film, by the folder that was signed.
    Film(String),
}

/// `/media/p/{key}` for pictures and `/media/s/{expires}/{signature}/{path}` for everything else; both answer
/// `GET` and `HEAD`, with ranges.
pub fn router(state: MediaState) -> Router {
    Router::new()
        .route("/media/p/{*path}", get(picture))
        .route("/media/s/{expires}/{signature}/{*path}", get(signed))
        .with_state(Arc::new(state))
}

async fn picture(
    State(state): State<Arc<MediaState>>,
    path: Result<UrlPath<String>, PathRejection>,
    request: Request,
) -> Response {
    let Ok(UrlPath(path)) = path else { return refuse(StatusCode::BAD_REQUEST, "malformed") };
    if !is_plain(&path) || !is_public(&path) {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    }
    let mut response =
        serve(&state.root, &path, state.picture_cache.clone(), Served::Picture(path.clone()), request).await;
    // Feeds, embeddings, previews and friend sites show them on their own pages. Films stay ours alone.
    response.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    response
}

async fn signed(
    State(state): State<Arc<MediaState>>,
    path: Result<UrlPath<(String, String, String)>, PathRejection>,
    request: Request,
) -> Response {
    let Ok(UrlPath((expires, signature, path))) = path else { return refuse(StatusCode::BAD_REQUEST, "malformed") };
    let Ok(expires) = expires.parse::<i64>() else {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    };
    let now = (state.now)();
    let folder = match state.signer.verify(expires, &signature, &path, now) {
        Ok(folder) => folder.to_owned(),
        Err(LinkError::BadPath) => return refuse(StatusCode::NOT_FOUND, "file_not_found"),
        Err(LinkError::Forged) => return refuse(StatusCode::FORBIDDEN, "dont_have_permission"),
        Err(LinkError::Expired) => return refuse(StatusCode::FORBIDDEN, "link_expired"),
    };
    let seconds = (expires - now).min(SIGNED_CACHE_MAX);
    let Ok(cache) = HeaderValue::try_from(format!("private, max-age={seconds}")) else {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    };
    serve(&state.root, &path, cache, Served::Film(folder), request).await
}

/// Answers with the file, or the requested part of it.
async fn serve(root: &Path, path: &str, cache: HeaderValue, served: Served, mut request: Request) -> Response {
    let Some(content_type) = content_type(path) else {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    };
    let file = root.join(path);
    drop_stale_range(request.headers_mut(), &file).await;
    let mut response = match ServeFile::new(&file).oneshot(request).await {
        Ok(response) => response.map(Body::new),
        Err(never) => match never {},
    };
    if response.status() == StatusCode::NOT_FOUND {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    }
    let good = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if !good {
        // Whatever the file service says about it is not of the file's type.
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    response.extensions_mut().insert(served);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, if good { cache } else { HeaderValue::from_static("no-store") });
    response
}

/// `If-Range` asks for the part only if the file is still the one known; else the whole file is the answer. The file
/// service doesn't look at the header, so a range that no longer holds is taken out here.
async fn drop_stale_range(headers: &mut HeaderMap, file: &Path) {
    let Some(condition) = headers.get(IF_RANGE) else {
        return;
    };
    let modified = tokio::fs::metadata(file).await.and_then(|found| found.modified());
    let current = modified.is_ok_and(|time| httpdate::fmt_http_date(time).as_bytes() == condition.as_bytes());
    if !current {
        headers.remove(RANGE);
    }
}

/// Whether the name is one of a picture that listings show; films, playlists and seek-bar pictures are not.
fn is_public(path: &str) -> bool {
    if pictures::is_file(path) {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    if matches!(name, "poster.jpg" | "sprite.webp") {
        return true;
    }
    let numbered = |stem: &str| {
        let digits = stem.strip_prefix("shot-").unwrap_or(stem);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    ["-320.webp", "-640.webp"].iter().any(|size| name.strip_suffix(size).is_some_and(numbered))
}

/// The types we make; a file with another ending is not served.
fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit('.').next()? {
        "mp4" => "video/mp4",
        "m4s" => "video/iso.segment",
        "m3u8" => "application/vnd.apple.mpegurl",
        "vtt" => "text/vtt; charset=utf-8",
        "webp" => "image/webp",
        "jpg" => "image/jpeg",
        _ => return None,
    })
}

/// Why a file was not handed out; in the extensions of the answer, for who words errors in another way.
#[derive(Debug, Clone, Copy)]
pub struct Refused(pub &'static str);

fn refuse(status: StatusCode, code: &'static str) -> Response {
    let body = serde_json::json!({ "error": 1, "code": code });
    (status, [(CACHE_CONTROL, "no-store")], Extension(Refused(code)), axum::Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn only_pictures_are_public() {
        for name in [
            "demo/03/poster.jpg",
            "demo/03/sprite.webp",
            "demo/03/shot-4-320.webp",
            "demo/pictures/07-640.webp",
            "members/7/0123456789abcdef01234567-320.jpg",
            "members/7/0123456789abcdef01234567-1250.jpg",
        ] {
            assert!(is_public(name), "{name}");
        }
        for name in [
            "demo/03/video.mp4",
            "demo/03/hls/master.m3u8",
            "demo/03/timeline.jpg",
            "demo/03/timeline.vtt",
            "demo/03/shot--320.webp",
            "demo/03/shot-x-320.webp",
            "demo/pictures/07-1280.webp",
            "members/7/0123456789abcdef01234567-99.jpg",
            "members/7/0123456789abcdef01234567.jpg",
            "members/x/0123456789abcdef01234567-320.jpg",
            "members/7/8/0123456789abcdef01234567-320.jpg",
            "demo/7/0123456789abcdef01234567-320.jpg",
            "demo/03",
        ] {
            assert!(!is_public(name), "{name}");
        }
    }
}
