//! Outermost middleware: request id, timeout, error body, and one log line per failure.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    BoxError, Json,
    body::{Body, HttpBody},
    extract::{Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use http_body_util::BodyExt;
use lantern_errors::ApiError;
use tower_http::timeout::{TimeoutBody, TimeoutError};
use uuid::Uuid;

use crate::{
    host::InvalidHost,
    openapi::{ErrorBody, FieldCode},
    request_id, throttled_log,
};

/// Response header with the id of the request, which is also in the log.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length of path and query in bytes. This is far above any legitimate request: a search has 69 characters, and a list has three
/// categories.
const MAX_ADDRESS_LENGTH: usize = 8 * 1024;

/// Limits of a call.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Maximum time until the response, including the time to receive the body.
    pub time: Duration,
    /// Maximum `Content-Length` of the request in bytes.
    pub bytes: usize,
    /// Whether clients can resume an interrupted body.
    pub is_resumable: bool,
}

/// The limits of a call by method and path.
pub type BoundsOf = dyn Fn(&Method, &str) -> Bounds + Send + Sync;

/// Settings of the envelope.
#[derive(Clone)]
pub struct Settings {
    /// Maximum pause between two parts of a request body.
    pub body_timeout: Duration,
    /// Returns the limits of a call by method and path.
    pub bounds: Arc<BoundsOf>,
}

/// The outermost middleware. Rejects requests that exceed the limits, renders [`ApiError`] as JSON, and turns panics into 500.
pub async fn envelope(State(settings): State<Settings>, request: Request, next: Next) -> Response {
    let id = request_id::next();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let bounds = (settings.bounds)(&method, &path);
    let mut response = if request.extensions().get::<InvalidHost>().is_some() {
        ApiError::Malformed("Host").into_response()
    } else if address_length(&request) > MAX_ADDRESS_LENGTH {
        ApiError::AddressTooLong.into_response()
    } else if declared_length(&request) > bounds.bytes {
        ApiError::BodyTooLarge.into_response()
    } else {
        let (request, stalled) = watch_body(request, settings.body_timeout);
        let response = run(next.run(request), bounds.time).await;
        if stalled.load(Ordering::Relaxed) { too_slow(&bounds).into_response() } else { response }
    };
    if let Some(error) = response.extensions_mut().remove::<ApiError>() {
        match &error {
            ApiError::Internal(cause) => {
                tracing::error!(request_id = %id, %method, path, %cause, "request failed");
            }
            ApiError::Unavailable(cause) => {
                throttled_log::warn(cause, || {
                    tracing::warn!(request_id = %id, %method, path, %cause, "request rejected: a dependency is unavailable");
                });
            }
            _ => tracing::debug!(request_id = %id, %method, path, %error, "request rejected"),
        }
        response = render(&error, id, response);
    }
    set_request_id(&mut response, id);
    response
}

/// Adds a new request id to a response that bypasses the middleware, such as one from the cache.
pub fn add_request_id(response: &mut Response) {
    set_request_id(response, request_id::next());
}

fn set_request_id(response: &mut Response, id: Uuid) {
    if let Ok(value) = HeaderValue::from_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer())) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
}

fn address_length(request: &Request) -> usize {
    let uri = request.uri();
    uri.path().len() + uri.query().map_or(0, str::len)
}

/// Aborts the body if no data arrives for `patience`. The returned flag is then true.
fn watch_body(request: Request, patience: Duration) -> (Request, Arc<AtomicBool>) {
    let stalled = Arc::new(AtomicBool::new(false));
    if request.body().is_end_stream() {
        return (request, stalled);
    }
    let flag = Arc::clone(&stalled);
    let set_flag = move |error: BoxError| {
        flag.fetch_or(error.is::<TimeoutError>(), Ordering::Relaxed);
        error
    };
    (request.map(|body| Body::new(TimeoutBody::new(patience, body).map_err(set_flag))), stalled)
}

/// Returns 408, or 503 for resumable calls, whose clients retry after a 5xx but give up after a 408.
fn too_slow(bounds: &Bounds) -> ApiError {
    if bounds.is_resumable {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        return ApiError::Refused { status, code: ApiError::BodyTooSlow.code(), field: None, info: None };
    }
    ApiError::BodyTooSlow
}

/// Returns `Content-Length`, or 0 if it is absent. A body without it is limited while it is being read.
fn declared_length(request: &Request) -> usize {
    let declared = request.headers().get(header::CONTENT_LENGTH);
    declared.and_then(|length| length.to_str().ok()?.parse().ok()).unwrap_or(0)
}

/// Runs the request with a timeout. A panic becomes a 500 instead of a closed connection.
async fn run(running: impl Future<Output = Response>, limit: Duration) -> Response {
    let guarded = AssertUnwindSafe(running).catch_unwind();
    match tokio::time::timeout(limit, guarded).await {
        Ok(Ok(response)) => response,
        Ok(Err(panic)) => ApiError::internal(panic_text(panic.as_ref())).into_response(),
        Err(_) => ApiError::unavailable("the request timed out").into_response(),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().map(|text| (*text).to_owned()).or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_default())
}

fn render(error: &ApiError, id: Uuid, bare: Response) -> Response {
    let fields = error.fields();
    let errors = fields.iter().map(|wrong| wrong.code).collect();
    let codes =
        fields.iter().map(|wrong| FieldCode { field: wrong.field, code: wrong.code, info: wrong.info() }).collect();
    let body = ErrorBody {
        error: 1,
        code: error.code(),
        field: error.field(),
        codes,
        errors,
        info: error.info(),
        request_id: id.to_string(),
    };
    // Preserves headers that are already set, such as the `Allow` of a 405.
    let (parts, _) = bare.into_parts();
    let mut response = (error.status(), Json(body)).into_response();
    for (name, value) in &parts.headers {
        if name != header::CONTENT_LENGTH && name != header::CONTENT_TYPE {
            response.headers_mut().insert(name, value.clone());
        }
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Some(seconds) = error.retry_after() {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}
