//! Serves files from buckets. Files are fetched only after the site has permitted it.

use std::sync::Arc;

use axum::{
    body::Body,
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE,
            IF_UNMODIFIED_SINCE, LOCATION, RANGE, X_CONTENT_TYPE_OPTIONS,
        },
    },
    response::{IntoResponse, Response},
};

use super::{Bucket, StoreFailure, content_type};
use crate::{
    conditions::Version,
    files::{self, MediaState, is_usable, refuse, refuse_unavailable},
    posters,
};

/// A file yet to be fetched.
#[derive(Clone)]
pub(crate) struct Remote {
    pub state: Arc<MediaState>,
    pub bucket: Bucket,
    pub path: String,
    pub method: Method,
    pub headers: HeaderMap,
    pub cache: HeaderValue,
    /// Expiry of the link, or `None` if no link is needed.
    pub expires: Option<i64>,
}

/// Completes a response whose file is in a bucket, once it may be shown. Other responses are returned unchanged.
pub async fn fetch(mut response: Response) -> Response {
    let Some(remote) = response.extensions_mut().remove::<Remote>() else { return response };
    let (prepared, _) = response.into_parts();
    let mut answer = match remote.answer(prepared.headers.get(CONTENT_DISPOSITION)).await {
        Ok(answer) => answer,
        Err(failed) => {
            remote.bucket.log(&failed);
            return refuse_unavailable();
        }
    };
    for (name, value) in &prepared.headers {
        answer.headers_mut().append(name, value.clone());
    }
    answer
}

impl Remote {
    async fn answer(&self, disposition: Option<&HeaderValue>) -> Result<Response, StoreFailure> {
        if let Some(address) = self.elsewhere(disposition).await? {
            let headers = [(LOCATION, address), (CACHE_CONTROL, HeaderValue::from_static("no-store"))];
            return Ok((StatusCode::FOUND, headers).into_response());
        }
        for path in posters::candidates(&self.path, &self.headers) {
            if self.is_whole() {
                let Some((version, body)) = self.bucket.whole(&path).await? else { continue };
                let (status, _, headers) = files::head(&version, &self.method, &self.headers, &self.state);
                return Ok(self.with_headers(&path, status, headers, body));
            }
            // If the file was replaced since its version was read, retry once.
            for _ in 0..2 {
                let Some(version) = self.bucket.find(&path).await? else { break };
                if let Some(answer) = self.part(&path, &version).await? {
                    return Ok(answer);
                }
            }
        }
        Ok(refuse(StatusCode::NOT_FOUND, "file_not_found"))
    }

    /// Returns the URL of the file in the store, if players are redirected there. Playlists contain relative URLs, so Lantern serves them
    /// itself.
    async fn elsewhere(&self, disposition: Option<&HeaderValue>) -> Result<Option<HeaderValue>, StoreFailure> {
        let Some(expires) = self.expires else { return Ok(None) };
        let is_list = [".m3u8", ".vtt"].iter().any(|ending| self.path.ends_with(ending));
        match u64::try_from(expires - (self.state.now)()) {
            Ok(left) if left > 0 && !is_list => self.bucket.address(&self.method, &self.path, left, disposition).await,
            _ => Ok(None),
        }
    }

    /// Returns whether the request is for a whole public file on no condition. These are small, whereas films are played by ranges.
    fn is_whole(&self) -> bool {
        let is_partial = [RANGE, IF_RANGE, IF_MATCH, IF_NONE_MATCH, IF_MODIFIED_SINCE, IF_UNMODIFIED_SINCE];
        self.expires.is_none()
            && self.method == Method::GET
            && !is_partial.iter().any(|name| self.headers.contains_key(name))
    }

    /// Returns `None` if the file has changed.
    async fn part(&self, path: &str, version: &Version) -> Result<Option<Response>, StoreFailure> {
        let (status, range, headers) = files::head(version, &self.method, &self.headers, &self.state);
        let body = if self.method == Method::HEAD || range.is_empty() {
            Body::empty()
        } else {
            match self.bucket.body(path, range, version).await? {
                Some(body) => body,
                None => return Ok(None),
            }
        };
        Ok(Some(self.with_headers(path, status, headers, body)))
    }

    fn with_headers(&self, path: &str, status: StatusCode, mut headers: HeaderMap, body: Body) -> Response {
        let is_usable = is_usable(status);
        if let Some(kind) = content_type(path).filter(|_| is_usable) {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
        }
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers
            .insert(CACHE_CONTROL, if is_usable { self.cache.clone() } else { HeaderValue::from_static("no-store") });
        (status, headers, body).into_response()
    }
}
