//! The error type of the site and its status table.
//!
//! A handler returns [`ApiError`]; the envelope middleware of `lantern-http` writes the response body, because it alone knows the
//! request id that connects the response with the log.

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

/// Why a request was refused or failed. Cheap to clone: several requests may
/// wait for one computation and share its failure.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ApiError {
    /// 400: not a request of this API at all (encoding, NUL bytes).
    #[error("malformed request: {0}")]
    Malformed(&'static str),
    /// 401: only members may do that.
    #[error("not signed in")]
    NeedAuth,
    /// 403 with a code of the catalogue.
    #[error("forbidden: {0}")]
    Forbidden(&'static str),
    /// 404 with a code of the catalogue.
    #[error("not found: {0}")]
    NotFound(&'static str),
    /// 405: the address exists, the method doesn't.
    #[error("method not allowed")]
    Method,
    /// 409 with a code of the catalogue, for the toast: it is so already.
    #[error("conflict: {0}")]
    Conflict(&'static str),
    /// 408: the body came too slowly, or stopped coming.
    #[error("body too slow")]
    BodyTooSlow,
    /// 413: the body is too large.
    #[error("body too large")]
    BodyTooLarge,
    /// 414: the address is too long.
    #[error("address too long")]
    AddressTooLong,
    /// 422: one field has a value it can't have.
    #[error("{field}: {code}")]
    Field {
        /// Name of the parameter.
        field: &'static str,
        /// What is wrong with it (`required`, `min_length`, `max_length`, `invalid`).
        code: &'static str,
        /// The bound that was broken, in characters or units.
        bound: Option<usize>,
    },
    /// 415: a body that is no form.
    #[error("unsupported media type")]
    MediaType,
    /// 422: several fields have values they can't have; the first one stands for all.
    #[error("{0:?}")]
    Fields(Vec<FieldError>),
    /// Anything else the catalogue has, with its own status.
    #[error("{code}")]
    Refused {
        /// The status line.
        status: StatusCode,
        /// Code of the catalogue.
        code: &'static str,
        /// The field it belongs to; [`NOTIFY`] asks for a toast.
        field: Option<&'static str>,
        /// Figures that belong to it.
        info: Option<Info>,
    },
    /// 429 with a code of the catalogue; try again after this time. What is allowed, where the code's text says it.
    #[error("too often: {0}")]
    TooManyOf(&'static str, Duration, Option<Allowance>),
    /// 429: too often; try again after this time.
    #[error("too many attempts")]
    TooMany(Duration),
    /// 503: Postgres or the engine is away or overloaded.
    #[error("unavailable: {0}")]
    Unavailable(Arc<dyn std::error::Error + Send + Sync>),
    /// 500: our fault.
    #[error("internal: {0}")]
    Internal(Arc<dyn std::error::Error + Send + Sync>),
}

/// A field that is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldError {
    /// Its name.
    pub field: &'static str,
    /// What is wrong with it.
    pub code: &'static str,
    /// The bound that was broken, in characters or units.
    pub bound: Option<usize>,
}

impl FieldError {
    /// Figures that belong to the code.
    pub fn info(&self) -> Option<Info> {
        self.bound.map(|bound| Info { bound: Some(bound), ..Info::default() })
    }
}

/// Figures that belong to a code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ErrorInfo)]
pub struct Info {
    /// Seconds after which to try again, as in the header `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 5)]
    pub retry_after: Option<u64>,
    /// The bound that was broken: characters for `min_length` and `max_length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0, example = 2)]
    pub bound: Option<usize>,
    /// With `too_many_comments`: so many are allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 5)]
    pub attempts: Option<u32>,
    /// In so many seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 600)]
    pub per_seconds: Option<u64>,
    /// With `video_upload_error` and `screen_upload_error`: the code of what went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "malformed")]
    pub code: Option<&'static str>,
}

/// The field of codes that are shown as a toast.
pub const NOTIFY: &str = "notify";

/// Seconds after which a client may ask again while a dependency is down.
pub const RETRY_UNAVAILABLE: u64 = 5;

impl ApiError {
    /// A value a parameter can't have.
    pub const fn invalid(field: &'static str) -> Self {
        Self::Field { field, code: "invalid", bound: None }
    }

    /// A parameter that has to be there and isn't.
    pub const fn required(field: &'static str) -> Self {
        Self::Field { field, code: "required", bound: None }
    }

    /// Wraps a failure that is nobody's fault but ours.
    pub fn internal(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(Arc::from(error.into()))
    }

    /// Wraps a failure that will pass.
    pub fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable(Arc::from(error.into()))
    }

    /// The status line.
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

    /// The stable code a client translates by.
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

    /// The field it belongs to: a parameter's name, or [`NOTIFY`] for a toast.
    pub fn field(&self) -> Option<&'static str> {
        match self {
            Self::NeedAuth | Self::Conflict(_) => Some(NOTIFY),
            Self::Field { field, .. } => Some(field),
            Self::Fields(wrong) => wrong.first().map(|first| first.field),
            Self::Refused { field, .. } => *field,
            _ => None,
        }
    }

    /// Every parameter that is wrong.
    pub fn fields(&self) -> Vec<FieldError> {
        match self {
            Self::Field { field, code, bound } => vec![FieldError { field, code, bound: *bound }],
            Self::Fields(wrong) => wrong.clone(),
            Self::Refused { field: Some(field), code, .. } if *field != NOTIFY => {
                vec![FieldError { field, code, bound: None }]
            }
            _ => Vec::new(),
        }
    }

    /// Figures that belong to the code.
    pub fn info(&self) -> Option<Info> {
        let known = if let Self::Refused { info, .. } = self { *info } else { None };
        let allowed = if let Self::TooManyOf(_, _, allowed) = self { *allowed } else { None };
        let info = known.unwrap_or_else(|| Info {
            retry_after: self.retry_after(),
            bound: self.fields().first().and_then(|first| first.bound),
            attempts: allowed.map(|allowed| allowed.attempts),
            per_seconds: allowed.map(|allowed| allowed.per_seconds),
            code: None,
        });
        (info != Info::default()).then_some(info)
    }

    /// Seconds for `Retry-After`, rounded up.
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
    /// What can't be counted is not let through; the store may be back soon.
    fn from(error: lantern_ratelimit::StoreError) -> Self {
        Self::unavailable(error)
    }
}

impl From<meilisearch_sdk::errors::Error> for ApiError {
    /// A refusal of our own request is our fault; everything else about the engine passes: it is
    /// away, has no index yet, or is overloaded or out of space (its type `system`, which the client doesn't know).
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
    /// Lost connections, a full pool and a server that is starting or stopping pass; the rest is ours.
    fn from(error: sqlx::Error) -> Self {
        let passes = match &error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => true,
            // Classes 08 connection, 53 resources, 57 operator intervention.
            sqlx::Error::Database(refusal) => {
                refusal.code().is_some_and(|code| ["08", "53", "57"].iter().any(|class| code.starts_with(class)))
            }
            _ => false,
        };
        if passes { Self::unavailable(error) } else { Self::internal(error) }
    }
}

impl From<lantern_catalog::Error> for ApiError {
    fn from(error: lantern_catalog::Error) -> Self {
        match error {
            // A member who is blocked learns no more than that.
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
    /// Only the status; the envelope middleware finds the error in the extensions and writes the body.
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
    fn what_passes_at_the_engine_is_no_fault_of_ours() {
        for (kind, code, passes) in [
            ("system", "too_many_search_requests", true),
            ("system", "no_space_left_on_device", true),
            ("internal", "internal", true),
            ("invalid_request", "index_not_found", true),
            ("invalid_request", "invalid_search_filter", false),
            ("auth", "invalid_api_key", false),
        ] {
            let refusal = json!({ "message": "No.", "code": code, "type": kind, "link": "" });
            let refusal = meilisearch_sdk::errors::Error::Meilisearch(serde_json::from_value(refusal).unwrap());
            assert_eq!(matches!(ApiError::from(refusal), ApiError::Unavailable(_)), passes, "{code}");
        }
    }
}
