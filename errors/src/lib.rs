//! The API error type and its HTTP statuses.
//!
//! Handlers return [`ApiError`]. The envelope middleware of `lantern-http` writes the response body, because only it knows the
//! request id that links the response to the log.

use std::{sync::Arc, time::Duration};

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};
use lantern_config::Allowance;
use serde::Serialize;
use utoipa::ToSchema;

/// Result of a handler.
pub type ApiResult<T> = Result<T, ApiError>;

/// Reason why a request was rejected or failed. Cheap to clone, so that all requests that wait for one computation can share its
/// error.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ApiError {
    /// 400: the request cannot be decoded. Holds the malformed part, such as `UTF-8` or `NUL`.
    #[error("malformed request: {0}")]
    Malformed(&'static str),
    /// 401: the call requires a signed-in member.
    #[error("not signed in")]
    NeedAuth,
    /// 403 with a code from `config/errors.toml`.
    #[error("forbidden: {0}")]
    Forbidden(&'static str),
    /// 404 with a code from `config/errors.toml`.
    #[error("not found: {0}")]
    NotFound(&'static str),
    /// 405: the address exists, but not for this method.
    #[error("method not allowed")]
    Method,
    /// 409 with a code from `config/errors.toml`, shown as a toast: the requested state already exists.
    #[error("conflict: {0}")]
    Conflict(&'static str),
    /// 408: the body arrived too slowly or stalled.
    #[error("body too slow")]
    BodyTooSlow,
    /// 413: the body is larger than the call allows.
    #[error("body too large")]
    BodyTooLarge,
    /// 414: path and query are too long.
    #[error("address too long")]
    AddressTooLong,
    /// 422: one field is missing or has an invalid value.
    #[error("{field}: {code}")]
    Field {
        /// Name of the field.
        field: &'static str,
        /// Error code (`required`, `min_length`, `max_length`, `invalid`).
        code: &'static str,
        /// Violated bound: characters for lengths, otherwise the unit of the field.
        bound: Option<usize>,
    },
    /// 415: the body is not a form.
    #[error("unsupported media type")]
    MediaType,
    /// 422: several fields are invalid. The first one determines [`Self::code`] and [`Self::field`].
    #[error("{0:?}")]
    Fields(Vec<FieldError>),
    /// Any other error from `config/errors.toml`, with an explicit status.
    #[error("{code}")]
    Refused {
        /// HTTP status.
        status: StatusCode,
        /// Code from `config/errors.toml`.
        code: &'static str,
        /// Name of the field, or [`NOTIFY`] for a toast.
        field: Option<&'static str>,
        /// Details of the code.
        info: Option<Info>,
    },
    /// 429 with a code from `config/errors.toml`, the time until the next attempt, and the allowance if the text of the code quotes it.
    #[error("rate limit exceeded: {0}")]
    TooManyOf(&'static str, Duration, Option<Allowance>),
    /// 429: too many attempts, with the time until the next attempt.
    #[error("too many attempts")]
    TooMany(Duration),
    /// 503: Postgres or the search engine is unavailable or overloaded.
    #[error("unavailable: {0}")]
    Unavailable(Arc<dyn std::error::Error + Send + Sync>),
    /// 500: an internal error.
    #[error("internal: {0}")]
    Internal(Arc<dyn std::error::Error + Send + Sync>),
}

/// An invalid field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldError {
    /// Name of the field.
    pub field: &'static str,
    /// Error code.
    pub code: &'static str,
    /// Violated bound: characters for lengths, otherwise the unit of the field.
    pub bound: Option<usize>,
    /// Number of the line that is invalid, from 1, in a field of several lines.
    pub line: Option<u32>,
}

impl FieldError {
    /// Returns the details of the code, if it has any.
    pub fn info(&self) -> Option<Info> {
        let info = Info { bound: self.bound, line: self.line, ..Info::default() };
        (info != Info::default()).then_some(info)
    }
}

/// Details of an error code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ErrorInfo)]
pub struct Info {
    /// Seconds until the next attempt, as in the header `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 5)]
    pub retry_after: Option<u64>,
    /// Violated bound, in characters for `min_length` and `max_length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, example = 2)]
    pub bound: Option<usize>,
    /// Number of the invalid line, from 1, in a field of several lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 3)]
    pub line: Option<u32>,
    /// Number of comments allowed per `per_seconds`, with `too_many_comments`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 5)]
    pub attempts: Option<u32>,
    /// Period in seconds that `attempts` refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 600)]
    pub per_seconds: Option<u64>,
    /// Code of the cause, with `video_upload_error` and `screen_upload_error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "malformed")]
    pub code: Option<&'static str>,
}

/// Value of `field` for codes that clients show as a toast.
pub const NOTIFY: &str = "notify";

/// Value of `Retry-After` in seconds while a dependency is unavailable.
pub const RETRY_UNAVAILABLE: u64 = 5;

impl ApiError {
    /// Returns 422 `invalid` for `field`.
    pub const fn invalid(field: &'static str) -> Self {
        Self::Field { field, code: "invalid", bound: None }
    }

    /// Returns 422 `required` for `field`.
    pub const fn required(field: &'static str) -> Self {
        Self::Field { field, code: "required", bound: None }
    }

    /// Wraps an internal failure (500).
    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(Arc::from(error.into()))
    }

    /// Wraps a transient failure (503).
    pub fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable(Arc::from(error.into()))
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::NeedAuth => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::AddressTooLong => StatusCode::URI_TOO_LONG,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Field { .. } | Self::Fields(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Refused { status, .. } => *status,
            Self::TooMany(_) | Self::TooManyOf(..) => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Returns the stable code by which clients translate.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "malformed",
            Self::NeedAuth => "need_auth",
            Self::Forbidden(code)
            | Self::NotFound(code)
            | Self::Conflict(code)
            | Self::TooManyOf(code, ..)
            | Self::Refused { code, .. }
            | Self::Field { code, .. } => code,
            Self::Fields(wrong) => wrong.first().map_or("invalid", |first| first.code),
            Self::MediaType => "unsupported_media_type",
            Self::Method => "method_not_allowed",
            Self::BodyTooSlow => "body_too_slow",
            Self::BodyTooLarge => "body_too_large",
            Self::AddressTooLong => "address_too_long",
            Self::TooMany(_) => "too_many_attempts",
            Self::Unavailable(_) => "unavailable",
            Self::Internal(_) => "internal",
        }
    }

    /// Returns the name of the first invalid field, or [`NOTIFY`] for a toast.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::NeedAuth | Self::Conflict(_) => Some(NOTIFY),
            Self::Field { field, .. } => Some(field),
            Self::Fields(wrong) => wrong.first().map(|first| first.field),
            Self::Refused { field, .. } => *field,
            _ => None,
        }
    }

    /// Returns all invalid fields.
    pub fn fields(&self) -> Vec<FieldError> {
        match self {
            Self::Field { field, code, bound } => vec![FieldError { field, code, bound: *bound, line: None }],
            Self::Fields(wrong) => wrong.clone(),
            Self::Refused { field: Some(field), code, .. } if *field != NOTIFY => {
                vec![FieldError { field, code, bound: None, line: None }]
            }
            _ => Vec::new(),
        }
    }

    /// Returns the details of the code, if it has any.
    pub fn info(&self) -> Option<Info> {
        let known = if let Self::Refused { info, .. } = self { *info } else { None };
        let fields = self.fields();
        let first = fields.first();
        let allowed = if let Self::TooManyOf(_, _, allowed) = self { *allowed } else { None };
        let info = known.unwrap_or_else(|| Info {
            retry_after: self.retry_after(),
            bound: first.and_then(|first| first.bound),
            line: first.and_then(|first| first.line),
            attempts: allowed.map(|allowed| allowed.attempts),
            per_seconds: allowed.map(|allowed| allowed.per_seconds),
            code: None,
        });
        (info != Info::default()).then_some(info)
    }

    /// Returns the seconds for `Retry-After`, rounded up, at least 1.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany(wait) | Self::TooManyOf(_, wait, _) => {
                let up = u64::from(wait.subsec_nanos() > 0);
                Some((wait.as_secs() + up).max(1))
            }
            Self::Unavailable(_) => Some(RETRY_UNAVAILABLE),
            Self::Refused { info, .. } => info.and_then(|info| info.retry_after),
            _ => None,
        }
    }
}

impl From<Arc<Self>> for ApiError {
    fn from(shared: Arc<Self>) -> Self {
        Self::clone(&shared)
    }
}

impl From<lantern_ratelimit::RetryAfter> for ApiError {
    fn from(wait: lantern_ratelimit::RetryAfter) -> Self {
        Self::TooMany(wait.0)
    }
}

impl From<lantern_ratelimit::LimitRefusal> for ApiError {
    fn from(refused: lantern_ratelimit::LimitRefusal) -> Self {
        match refused {
            lantern_ratelimit::LimitRefusal::Wait(wait) => wait.into(),
            lantern_ratelimit::LimitRefusal::Store(error) => error.into(),
        }
    }
}

impl From<lantern_ratelimit::StoreError> for ApiError {
    /// Attempts that cannot be counted are rejected with 503, because the store may recover soon.
    fn from(error: lantern_ratelimit::StoreError) -> Self {
        Self::unavailable(error)
    }
}

impl From<meilisearch_sdk::errors::Error> for ApiError {
    /// A rejected request is a bug of ours (500). All other errors are transient (503): the engine is unavailable, has no index yet, is
    /// overloaded, or is out of space (error type `system`, which the client library does not know).
    fn from(error: meilisearch_sdk::errors::Error) -> Self {
        use meilisearch_sdk::errors::{Error, ErrorCode, ErrorType};
        let ours = matches!(&error, Error::Meilisearch(refusal)
            if matches!(refusal.error_type, ErrorType::InvalidRequest | ErrorType::Auth)
                && refusal.error_code != ErrorCode::IndexNotFound)
            || matches!(&error, Error::ParseError(_));
        if ours { Self::internal(error) } else { Self::unavailable(error) }
    }
}

impl From<sqlx::Error> for ApiError {
    /// Lost connections, an exhausted pool and a server that is starting or stopping are transient (503). All other errors are 500.
    fn from(error: sqlx::Error) -> Self {
        let is_transient = match &error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => true,
            // SQLSTATE classes: 08 connection, 53 insufficient resources, 57 operator intervention.
            sqlx::Error::Database(refusal) => {
                refusal.code().is_some_and(|code| ["08", "53", "57"].iter().any(|class| code.starts_with(class)))
            }
            _ => false,
        };
        if is_transient { Self::unavailable(error) } else { Self::internal(error) }
    }
}

impl From<lantern_catalog::Error> for ApiError {
    fn from(error: lantern_catalog::Error) -> Self {
        match error {
            // Tell a blocked member nothing else.
            error if error.constraint() == Some(lantern_catalog::blocks::REFUSED) => {
                Self::Refused { status: StatusCode::FORBIDDEN, code: "blocked", field: Some(NOTIFY), info: None }
            }
            lantern_catalog::Error::Database(error) => error.into(),
            other => Self::internal(other),
        }
    }
}

impl From<serde_json::Error> for ApiError {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(error)
    }
}

impl IntoResponse for ApiError {
    /// Sets only the status. The envelope middleware takes the error from the extensions and writes the body.
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::ApiError;

    #[test]
    fn transient_engine_errors_are_unavailable() {
        for (kind, code, is_transient) in [
            ("system", "too_many_search_requests", true),
            ("system", "no_space_left_on_device", true),
            ("internal", "internal", true),
            ("invalid_request", "index_not_found", true),
            ("invalid_request", "invalid_search_filter", false),
            ("auth", "invalid_api_key", false),
        ] {
            let refusal = json!({ "message": "No.", "code": code, "type": kind, "link": "" });
            let refusal = meilisearch_sdk::errors::Error::Meilisearch(serde_json::from_value(refusal).unwrap());
            assert_eq!(matches!(ApiError::from(refusal), ApiError::Unavailable(_)), is_transient, "{code}");
        }
    }
}
