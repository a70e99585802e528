//! Request bodies, whose declared type and size are checked before they are read.

use axum::extract::{FromRequest, Request};
use axum::http::{HeaderMap, StatusCode, header};
use bytes::Bytes;

use super::AppState;
use super::error::{ApiError, Code};

/// A body of any declared type.
pub struct Body(pub Bytes);

/// A body declared as JSON.
pub struct JsonBody(pub Bytes);

impl FromRequest<AppState> for Body {
    type Rejection = ApiError;

    async fn from_request(request: Request, shared: &AppState) -> Result<Self, ApiError> {
        Bytes::from_request(request, shared).await.map(Self).map_err(|rejection| match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => too_large(shared.options.max_body),
            _ => ApiError::new(Code::BadRequest, rejection.body_text()),
        })
    }
}

impl FromRequest<AppState> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, shared: &AppState) -> Result<Self, ApiError> {
        let accepted = ["application/json"];
        match content_type(request.headers(), &accepted)? {
            "application/json" => Body::from_request(request, shared).await.map(|Body(bytes)| Self(bytes)),
            other => Err(invalid_type(other, &accepted)),
        }
    }
}

/// Returns the declared type without its parameters.
pub fn content_type<'h>(headers: &'h HeaderMap, accepted: &[&str]) -> Result<&'h str, ApiError> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else {
        let message = format!("A Content-Type header is missing. {}", accepting(accepted));
        return Err(ApiError::new(Code::MissingContentType, message));
    };
    Ok(value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim())
}

/// Returns the error for an unsupported declared type.
pub fn invalid_type(found: &str, accepted: &[&str]) -> ApiError {
    let message = format!("The Content-Type `{found}` is invalid. {}", accepting(accepted));
    ApiError::new(Code::InvalidContentType, message)
}

fn accepting(accepted: &[&str]) -> String {
    format!("Accepted values for the Content-Type header are: `{}`", accepted.join("`, `"))
}

fn too_large(limit: usize) -> ApiError {
    let message = format!(
        "The provided payload reached the size limit. The maximum accepted payload size is {}.",
        binary_size(limit as u64)
    );
    ApiError::new(Code::PayloadTooLarge, message)
}

/// Formats a size in the largest binary unit with a value of at least 1.
fn binary_size(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10), ("B", 0)];
    let (unit, shift) = units.into_iter().find(|(_, shift)| bytes >> shift > 0).unwrap_or(("B", 0));
    let whole = bytes >> shift;
    let hundredths = ((bytes - (whole << shift)) * 100) >> shift;
    if hundredths == 0 { format!("{whole} {unit}") } else { format!("{whole}.{hundredths:02} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::binary_size;

    #[test]
    fn sizes_have_units() {
        assert_eq!(
            [3, 1000, 1536, 100 << 20, 3 << 30].map(binary_size),
            ["3 B", "1000 B", "1.50 KiB", "100 MiB", "3 GiB"]
        );
    }
}
