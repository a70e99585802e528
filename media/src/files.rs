//! Routes that serve files: pictures publicly, films only through signed links.

use std::{
    io,
    ops::Range,
    sync::Arc,
    time::{Duration, UNIX_EPOCH},
};

use axum::{
    Extension, Router,
    body::Body,
    extract::{FromRequestParts, Path as UrlPath, State, rejection::PathRejection},
    http::{
        HeaderMap, HeaderName, HeaderValue, Method, StatusCode,
        header::{
            ACCEPT_RANGES, ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH,
            CONTENT_RANGE, CONTENT_TYPE, ETAG, LAST_MODIFIED, RETRY_AFTER, VARY, X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::{IntoResponse, Response},
    routing::get,
};

use crate::{
    conditions::{Delivery, Version, wanted},
    links::{LinkError, Signer, is_plain},
    pictures, posters,
    reading::{self, OpenFile},
    stores::{self, Folder, Remote, Store, Stores, Unknown, content_type},
};

/// Controls which sites may embed a response.
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
/// Names the file that a front-end web server sends in place of this response.
const ACCEL_REDIRECT: HeaderName = HeaderName::from_static("x-accel-redirect");
/// Maximum time a browser may cache a signed file, in seconds.
const SIGNED_CACHE_MAX: i64 = 86_400;

/// State of the media routes.
#[derive(Clone, Debug)]
pub struct MediaState {
    /// Location of files. Nothing outside of it is ever opened.
    pub stores: Stores,
    /// Verifies links.
    pub signer: Signer,
    /// `Cache-Control` of pictures. A picture never changes under its name but may be deleted.
    pub picture_cache: HeaderValue,
    /// Number of bytes per read from disk, at least 1.
    pub read_bytes: usize,
    /// Current time, in Unix seconds.
    pub now: fn() -> i64,
}

/// Origin of the file in a response, stored in the response's extensions. These routes don't know whether the file may be shown. The
/// embedding site checks that before the response is sent, and before [`stores::fetch`] fills in a file from a bucket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileOrigin {
    /// A picture, identified by its path below the media folder.
    Picture(String),
    /// Part of a film, identified by the signed folder.
    Film(String),
}

/// Serves `/media/p/{key}` for pictures, `/media/d/{expires}/{signature}/{path}/{name}` for downloads and
/// `/media/s/{expires}/{signature}/{path}` for everything else. All of them support `GET`, `HEAD` and ranges.
pub fn router(state: MediaState) -> Router {
    Router::new()
        .route("/media/p/{*path}", get(picture))
        .route("/media/s/{expires}/{signature}/{*path}", get(signed))
        .route("/media/d/{expires}/{signature}/{*path}", get(download))
        .with_state(Arc::new(state))
}

async fn picture(
    State(state): State<Arc<MediaState>>,
    path: Result<UrlPath<String>, PathRejection>,
    request: FileRequest,
) -> Response {
    let Ok(UrlPath(path)) = path else { return refuse(StatusCode::BAD_REQUEST, "malformed") };
    if !is_plain(&path) || !is_public(&path) {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    }
    let served = FileOrigin::Picture(path.clone());
    let key = pictures::key_of(&path).or_else(|| Some(path.rsplit_once('/')?.0)).unwrap_or_default();
    let cache = state.picture_cache.clone();
    let mut response = serve(&state, File { key, path: &path, cache, expires: None }, served, &request).await;
    if posters::is_poster(&path) {
        response.headers_mut().append(VARY, HeaderValue::from_static("accept"));
    }
    // Feeds, embeds, previews and partner sites show pictures on their own pages. Films are never shown elsewhere.
    response.headers_mut().insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    // Pages that request pictures without cookies need CORS permission.
    response.headers_mut().insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response
}

/// The method and headers, which determine the requested part of a file.
#[derive(FromRequestParts)]
struct FileRequest {
    method: Method,
    headers: HeaderMap,
}

/// Parts of a signed link: expiry, signature and path.
type SignedPath = Result<UrlPath<(String, String, String)>, PathRejection>;

async fn signed(State(state): State<Arc<MediaState>>, path: SignedPath, request: FileRequest) -> Response {
    let Ok(UrlPath((expires, signature, path))) = path else { return refuse(StatusCode::BAD_REQUEST, "malformed") };
    let Ok(expires) = expires.parse::<i64>() else {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    };
    let now = (state.now)();
    let folder = match state.signer.verify(expires, &signature, &path, now) {
        Ok(folder) => folder,
        Err(error) => return refuse_link(error),
    };
    let file = File { key: folder, path: &path, cache: signed_cache(expires, now), expires: Some(expires) };
    serve(&state, file, FileOrigin::Film(folder.to_owned()), &request).await
}

async fn download(State(state): State<Arc<MediaState>>, path: SignedPath, request: FileRequest) -> Response {
    let Ok(UrlPath((expires, signature, path))) = path else { return refuse(StatusCode::BAD_REQUEST, "malformed") };
    let Ok(expires) = expires.parse::<i64>() else {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    };
    let now = (state.now)();
    let found = match state.signer.verify_download(expires, &signature, &path, now) {
        Ok(found) => found,
        Err(error) => return refuse_link(error),
    };
    let served = FileOrigin::Film(found.media_key.to_owned());
    let path = format!("{}/{}", found.media_key, found.file);
    let (key, cache) = (found.media_key, signed_cache(expires, now));
    let mut response = serve(&state, File { key, path: &path, cache, expires: Some(expires) }, served, &request).await;
    if let Ok(name) = HeaderValue::try_from(format!("attachment; filename=\"{}\"", found.name)) {
        response.headers_mut().insert(CONTENT_DISPOSITION, name);
    }
    response
}

fn refuse_link(error: LinkError) -> Response {
    match error {
        LinkError::BadPath => refuse(StatusCode::NOT_FOUND, "file_not_found"),
        LinkError::Forged => refuse(StatusCode::FORBIDDEN, "dont_have_permission"),
        LinkError::Expired => refuse(StatusCode::FORBIDDEN, "link_expired"),
    }
}

fn signed_cache(expires: i64, now: i64) -> HeaderValue {
    let text = format!("private, max-age={}", (expires - now).min(SIGNED_CACHE_MAX));
    HeaderValue::try_from(text).unwrap_or_else(|_| unreachable!("text and a number form a valid header value"))
}

/// A requested file.
struct File<'a> {
    /// The folder of the film or the key of the uploaded picture that the file belongs to, or the folder that contains the file.
    key: &'a str,
    path: &'a str,
    /// `Cache-Control` header.
    cache: HeaderValue,
    /// Expiry of the link.
    expires: Option<i64>,
}

/// Responds with the file or the requested part of it.
async fn serve(state: &Arc<MediaState>, file: File<'_>, served: FileOrigin, request: &FileRequest) -> Response {
    if content_type(file.path).is_none() {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    }
    let mut response = match state.stores.of(file.key).await {
        Ok(Store::Folder(folder)) => serve_local(state, folder, &file, request).await,
        Ok(Store::Bucket(bucket)) => {
            // If the file is never fetched, the client gets an error rather than an empty film.
            let mut response = StatusCode::SERVICE_UNAVAILABLE.into_response();
            response.extensions_mut().insert(Remote {
                state: Arc::clone(state),
                bucket: bucket.clone(),
                path: file.path.to_owned(),
                method: request.method.clone(),
                headers: request.headers.clone(),
                cache: file.cache,
                expires: file.expires,
            });
            response
        }
        Err(unknown) => return refuse_unknown(file.path, &unknown),
    };
    if response.extensions().get::<FileRefusal>().is_none() {
        response.extensions_mut().insert(served);
    }
    response
}

async fn serve_local(state: &MediaState, folder: &Folder, file: &File<'_>, request: &FileRequest) -> Response {
    let path = posters::negotiate(folder.root(), file.path, &request.headers).await;
    let opened = match reading::open(folder.root().join(&path)).await {
        Ok(opened) => opened,
        Err(error) => return refuse_file(&path, &error),
    };
    let mut response = if folder.accel_prefix().is_empty() {
        match answer(opened, state, request) {
            Ok(response) => response,
            Err(error) => return refuse_file(&path, &error),
        }
    } else {
        // The web server that handles the header evaluates conditions and ranges itself.
        let Ok(place) = HeaderValue::try_from(format!("{}{path}", folder.accel_prefix())) else {
            return refuse(StatusCode::NOT_FOUND, "file_not_found");
        };
        ([(ACCEL_REDIRECT, place)], Body::empty()).into_response()
    };
    let is_usable = is_usable(response.status());
    let headers = response.headers_mut();
    if let Some(content_type) = content_type(&path).filter(|_| is_usable) {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, if is_usable { file.cache.clone() } else { HeaderValue::from_static("no-store") });
    response
}

/// Returns whether the status means that the client has the file now or already had it.
pub(crate) fn is_usable(status: StatusCode) -> bool {
    status.is_success() || status == StatusCode::NOT_MODIFIED
}

/// Builds the response for an open file.
fn answer(opened: OpenFile, state: &MediaState, request: &FileRequest) -> io::Result<Response> {
    let version = Version::new(opened.metadata.modified()?, opened.metadata.len());
    let (status, range, headers) = head(&version, &request.method, &request.headers, state);
    let body =
        if request.method == Method::HEAD { Body::empty() } else { reading::body(opened, range, state.read_bytes) };
    Ok((status, headers, body).into_response())
}

/// Returns status, byte range and headers of a response.
pub(crate) fn head(
    version: &Version,
    method: &Method,
    conditions: &HeaderMap,
    state: &MediaState,
) -> (StatusCode, Range<u64>, HeaderMap) {
    let now = UNIX_EPOCH + Duration::from_secs((state.now)().try_into().unwrap_or_default());
    let (status, range) = match wanted(method, conditions, version, now) {
        Delivery::Whole => (StatusCode::OK, 0..version.length),
        Delivery::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
        Delivery::NotModified => (StatusCode::NOT_MODIFIED, 0..0),
        Delivery::PreconditionFailed => (StatusCode::PRECONDITION_FAILED, 0..0),
        Delivery::NotSatisfiable => (StatusCode::RANGE_NOT_SATISFIABLE, 0..0),
    };
    let mut headers = HeaderMap::new();
    let mut add = |name, value: String| {
        let value = HeaderValue::try_from(value).unwrap_or_else(|_| unreachable!("numbers and dates are valid values"));
        headers.insert(name, value);
    };
    add(ACCEPT_RANGES, "bytes".to_owned());
    if status == StatusCode::RANGE_NOT_SATISFIABLE {
        add(CONTENT_RANGE, format!("bytes */{}", version.length));
    } else {
        add(LAST_MODIFIED, httpdate::fmt_http_date(version.modified));
        add(ETAG, version.tag.clone());
    }
    if status == StatusCode::PARTIAL_CONTENT {
        add(CONTENT_RANGE, format!("bytes {}-{}/{}", range.start, range.end - 1, version.length));
    }
    if status.is_success() {
        add(CONTENT_LENGTH, (range.end - range.start).to_string());
    }
    (status, range, headers)
}

/// Responds to a request for a file that cannot be read, with status 404 if it doesn't exist and 500 if the disk fails.
fn refuse_file(path: &str, error: &io::Error) -> Response {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    if matches!(error.kind(), NotFound | NotADirectory | PermissionDenied) {
        return refuse(StatusCode::NOT_FOUND, "file_not_found");
    }
    tracing::error!(path, %error, "can't read a file");
    (StatusCode::INTERNAL_SERVER_ERROR, [(CACHE_CONTROL, "no-store")]).into_response()
}

/// Returns whether the file is a picture used in listings or a card's preview clip. Films, playlists and seek-bar pictures aren't public.
fn is_public(path: &str) -> bool {
    if pictures::is_file(path) {
        return true;
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    if matches!(name, posters::NAME | "sprite.webp" | "preview.mp4") {
        return true;
    }
    let numbered = |stem: &str| {
        let digits = stem.strip_prefix("shot-").unwrap_or(stem);
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    ["-320.webp", "-640.webp"].iter().any(|size| name.strip_suffix(size).is_some_and(numbered))
}

/// Reason for not serving a file. It is stored in the response's extensions, for callers that word errors differently.
#[derive(Debug, Clone, Copy)]
pub struct FileRefusal(pub &'static str);

/// Responds if the store of a file cannot be determined. This is either a temporary failure or one that the operator must fix.
fn refuse_unknown(path: &str, unknown: &Unknown) -> Response {
    tracing::error!(path, error = %unknown, "can't determine the store of a file");
    refuse_unavailable()
}

/// Responds that the file exists but its store is unavailable.
pub(crate) fn refuse_unavailable() -> Response {
    let mut response = refuse(StatusCode::SERVICE_UNAVAILABLE, "store_unavailable");
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(stores::RETRY_AFTER));
    response
}

pub(crate) fn refuse(status: StatusCode, code: &'static str) -> Response {
    let body = serde_json::json!({ "error": 1, "code": code });
    (status, [(CACHE_CONTROL, "no-store")], Extension(FileRefusal(code)), axum::Json(body)).into_response()
}

#[cfg(test)]
mod tests {
    use super::is_public;

    #[test]
    fn only_pictures_and_previews_are_public() {
        for name in [
            "demo/03/poster.jpg",
            "demo/03/sprite.webp",
            "demo/03/preview.mp4",
            "demo/03/shot-4-320.webp",
            "demo/pictures/07-640.webp",
            "members/7/0123456789abcdef01234567-320.jpg",
            "members/7/0123456789abcdef01234567-1250.jpg",
        ] {
            assert!(is_public(name), "{name}");
        }
        for name in [
            "demo/03/video.mp4",
            "demo/03/preview.mp4.mp4",
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
