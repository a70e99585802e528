//! Errors in the protocol's format: message, code, type and link.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

pub use super::codes::Code;

/// An error in response to a request.
#[derive(Debug, Clone)]
pub struct ApiError {
    code: Code,
    message: String,
    retry_after: Option<u16>,
}

/// JSON form of an error, which is also stored in failed tasks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ErrorBody {
    pub message: String,
    pub code: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub link: String,
}

impl ApiError {
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), retry_after: None }
    }

    /// Returns an internal error. Its cause is logged and not sent to the client.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(error = %cause, "a search engine request failed");
        Self::new(Code::Internal, "An internal error has occurred; see the engine's log for details.")
    }

    pub fn index_not_found(uid: &str) -> Self {
        Self::new(Code::IndexNotFound, format!("Index `{uid}` not found."))
    }

    pub fn not_implemented(what: impl std::fmt::Display) -> Self {
        Self::new(Code::NotImplemented, format!("{what} isn't implemented by this engine."))
    }

    /// Adds a `Retry-After` header, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u16) -> Self {
        self.retry_after = Some(seconds);
        self
    }

    /// Prepends `prefix` to the message, as in "Inside `.queries[0]`: …".
    #[must_use]
    pub fn inside(mut self, prefix: &str) -> Self {
        self.message = format!("{prefix}{}", self.message);
        self
    }

    /// Returns whether the request, rather than the engine, caused the error.
    pub fn is_user_error(&self) -> bool {
        self.code.parts().2 == "invalid_request"
    }

    /// Returns whether a damaged index may be the cause.
    pub fn is_suspicious(&self) -> bool {
        matches!(self.code, Code::Internal | Code::IoError)
    }

    pub fn body(&self) -> ErrorBody {
        let (code, _, kind) = self.code.parts();
        ErrorBody {
            message: self.message.clone(),
            code: code.to_owned(),
            kind: kind.to_owned(),
            link: format!("https://docs.meilisearch.com/errors#{code}"),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.code.parts().1, axum::Json(self.body())).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

/// Converts rejections by the framework (body too large, invalid query string) to the protocol's format.
pub async fn shape(response: Response) -> Response {
    let status = response.status();
    let is_json = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
    if is_json || !status.is_client_error() {
        return response;
    }
    let code = match status {
        StatusCode::PAYLOAD_TOO_LARGE => Code::PayloadTooLarge,
        _ => Code::BadRequest,
    };
    let message = match axum::body::to_bytes(response.into_body(), 4096).await {
        Ok(text) if !text.is_empty() => String::from_utf8_lossy(&text).into_owned(),
        _ => status.to_string(),
    };
    ApiError::new(code, message).into_response()
}

impl From<milli_core::heed::Error> for ApiError {
    fn from(error: milli_core::heed::Error) -> Self {
        Self::internal(error)
    }
}
