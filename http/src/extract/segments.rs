//! Path parameters.

use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use lantern_errors::{ApiError, ApiResult};

/// Extracts the decoded path parameters, in the order of the route. Fails with 400 for a malformed encoding or a NUL.
pub struct Segments(Vec<String>);

impl Segments {
    /// Creates parameters from decoded values, for calls to a handler from another one.
    pub fn of(segments: &[&str]) -> Self {
        Self(segments.iter().map(|&segment| segment.to_owned()).collect())
    }

    /// Returns the parameters as an array. Fails with 404 if the route does not have exactly `N` parameters.
    pub fn take<const N: usize>(self) -> ApiResult<[String; N]> {
        <[String; N]>::try_from(self.0).map_err(|_| ApiError::NotFound("not_found"))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Segments {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let params =
            RawPathParams::from_request_parts(parts, state).await.map_err(|_| ApiError::Malformed("path encoding"))?;
        let values: Vec<String> = params.iter().map(|(_, value)| value.to_owned()).collect();
        if values.iter().any(|value| value.contains('\0')) {
            return Err(ApiError::Malformed("NUL in path"));
        }
        Ok(Self(values))
    }
}
