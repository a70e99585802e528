//! Forms that are read part by part, because files come with them: their texts, in bounded memory.

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

/// Bytes that a part counts for beside what it holds, so that there can't be endless many.
const PART: usize = 64;

/// The texts of a form that comes.
pub struct Texts {
    pairs: Vec<(String, String)>,
    /// Bytes that may still come.
    room: usize,
}

impl Texts {
    /// None yet, and at most `server.body_limit` bytes.
    pub const fn new(config: &Config) -> Self {
        Self { pairs: Vec::new(), room: config.server.body_limit }
    }

    /// Reads a part that is no file. Fails with 400 or 413.
    pub async fn take(&mut self, mut part: Field<'_>) -> ApiResult<()> {
        let name = part.name().unwrap_or_default().to_owned();
        self.count(name.len() + PART)?;
        let mut bytes = Vec::new();
        while let Some(chunk) = part.chunk().await.map_err(|error| broken(&error))? {
            self.count(chunk.len())?;
            bytes.extend_from_slice(&chunk);
        }
        let text = String::from_utf8(bytes).map_err(|_| ApiError::Malformed("UTF-8"))?;
        self.pairs.push((name, no_nul(text)?));
        Ok(())
    }

    /// Counts a part that nobody reads. Fails with 413.
    pub fn skip(&mut self) -> ApiResult<()> {
        self.count(PART)
    }

    /// What came so far, as `T`. Fails with 422.
    pub fn read<T: DeserializeOwned>(&self) -> ApiResult<T> {
        fields::read(&self.pairs)
    }

    fn count(&mut self, bytes: usize) -> ApiResult<()> {
        self.room = self.room.checked_sub(bytes).ok_or(ApiError::BodyTooLarge)?;
        Ok(())
    }
}

/// Why a part could not be read.
pub fn broken(error: &MultipartError) -> ApiError {
    of_status(error.status())
}

/// A form without files, where the call also takes some: it has the bounds in bytes and time that any other form has.
pub async fn small<T: DeserializeOwned>(request: Request, config: &Config) -> ApiResult<T> {
    let request = request.map(|body| Body::new(Limited::new(body, config.server.body_limit)));
    let limit = Duration::from_secs(config.server.request_timeout);
    let Form(form) =
        tokio::time::timeout(limit, Form::from_request(request, &())).await.map_err(|_| ApiError::BodyTooSlow)??;
    Ok(form)
}
