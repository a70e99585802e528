//! Text fields of multipart forms that contain files. They are read part by part, in bounded memory.

use std::time::Duration;

use axum::{
    body::Body,
    extract::{
        FromRequest, Request,
        multipart::{Field, MultipartError},
    },
};
use http_body_util::Limited;
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use serde::de::DeserializeOwned;

use super::{
    fields,
    form::{Form, of_status},
    query::no_nul,
};

/// Bytes counted for each part in addition to its content, which bounds the number of parts.
const PART_OVERHEAD: usize = 64;

/// Collects the text fields of a form while it is received.
pub struct Texts {
    pairs: Vec<(String, String)>,
    /// Remaining bytes.
    remaining: usize,
}

impl Texts {
    /// Creates an empty collection that accepts up to `server.body_limit` bytes.
    pub const fn new(config: &Config) -> Self {
        Self { pairs: Vec::new(), remaining: config.server.body_limit }
    }

    /// Reads a part that is not a file. Fails with 400 if it is malformed, 413 if the form is too large.
    pub async fn take(&mut self, mut part: Field<'_>) -> ApiResult<()> {
        let name = part.name().unwrap_or_default().to_owned();
        self.count(name.len() + PART_OVERHEAD)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = part.chunk().await.map_err(|error| broken(&error))? {
            self.count(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        let text = String::from_utf8(bytes).map_err(|_| ApiError::Malformed("UTF-8"))?;
        self.pairs.push((name, no_nul(text)?));
        Ok(())
    }

    /// Counts a part that is not read. Fails with 413 if the form is too large.
    pub fn skip(&mut self) -> ApiResult<()> {
        self.count(PART_OVERHEAD)
    }

    /// Deserializes the fields received so far. Fails with 422 `required` or `invalid`.
    pub fn read<T: DeserializeOwned>(&self) -> ApiResult<T> {
        fields::read(&self.pairs, None)
    }

    fn count(&mut self, bytes: usize) -> ApiResult<()> {
        self.remaining = self.remaining.checked_sub(bytes).ok_or(ApiError::BodyTooLarge)?;
        Ok(())
    }
}

/// Returns the error for a part that could not be read. This is 413 if the form was too large, otherwise 400.
pub fn broken(error: &MultipartError) -> ApiError {
    of_status(error.status())
}

/// Reads a form without files in a call that also accepts files, with the size limit and timeout of ordinary forms.
///
/// # Errors
/// The same errors as [`Form`], and 408 after `server.request_timeout`.
pub async fn small<T: DeserializeOwned>(request: Request, config: &Config) -> ApiResult<T> {
    let request = request.map(|body| Body::new(Limited::new(body, config.server.body_limit)));
    let limit = Duration::from_secs(config.server.request_timeout);
    let Form(form) =
        tokio::time::timeout(limit, Form::from_request(request, &())).await.map_err(|_| ApiError::BodyTooSlow)??;
    Ok(form)
}
