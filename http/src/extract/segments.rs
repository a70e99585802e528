//! Path segments.

use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use lantern_errors::{ApiError, ApiResult};

/// The decoded parameters of the route, in its order.
pub struct Segments(Vec<String>);

impl Segments {
    /// Those of an address that another call names.
    pub fn of(segments: &[&str]) -> Self {
        Self(segments.iter().map(|&segment| segment.to_owned()).collect())
    }

    /// The parameters as an array of the length the route has. Fails with 404 when the route has another number of parameters.
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
