//! `GET /api/openapi.json`

use std::sync::{Arc, OnceLock};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_config::Config;
use serde_json::json;

use super::document;
use crate::{cache, http::error::ApiResult, openapi::Doc};

/// The document's bytes, written at the first request; the same as long as the process lives.
#[derive(Clone, Default)]
pub struct Served(Arc<OnceLock<(Bytes, HeaderValue)>>);

impl Served {
    /// The answer.
    ///
    /// # Errors
    /// When the document can't be written as JSON, which a test rules out.
    pub fn answer(&self, config: &Config, asked: &HeaderMap) -> ApiResult<Response> {
        let (bytes, etag) = match self.0.get() {
            Some(written) => written,
            None => {
                let bytes = Bytes::from(serde_json::to_vec(&document(config))?);
                let etag = cache::etag(&bytes)?;
                self.0.get_or_init(|| (bytes, etag))
            }
        };
        let fixed =
            [(header::ETAG, etag.clone()), (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"))];
        if cache::matches(asked, etag) {
            return Ok((StatusCode::NOT_MODIFIED, fixed).into_response());
        }
        let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        Ok((fixed, kind, Body::from(bytes.clone())).into_response())
    }
}

/// What the document says of it.
pub fn doc(_: &Config) -> Doc {
    let schema = json!({ "type": "object", "required": ["openapi", "info", "paths"] });
    let example = json!({ "openapi": "3.1.0", "info": { "title": "Lantern", "version": env!("CARGO_PKG_VERSION") }, "paths": {} });
    Doc::new("site", "openapi", "/api/openapi.json", "This document")
        .answers_with("OpenAPI 3.1.", "application/json", &schema, &example)
        .kept("public, max-age=3600")
        .tagged()
}
