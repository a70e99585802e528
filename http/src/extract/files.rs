//! Forms with files, sent as multipart. Without files, any form encoding is accepted.

use axum::{
    extract::{FromRequest, Multipart, Request},
    http::header,
};
use lantern_errors::ApiError;
use serde::de::DeserializeOwned;

use super::{Form, fields, form::of_status, query::no_nul};

/// A file in a form.
pub struct FormFile {
    /// Name of the form field.
    pub field: String,
    /// Content. The file name and type sent by the client are ignored because they cannot be trusted.
    pub bytes: Vec<u8>,
}

/// Extracts the text fields of a form as `T`, like [`Form`], and its files. Empty files are skipped because browsers send them for fields
/// that were left empty.
pub struct FormWithFiles<T>(pub T, pub Vec<FormFile>);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for FormWithFiles<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
            return Form::from_request(request, state).await.map(|Form(fields)| Self(fields, Vec::new()));
        }
        let (mut pairs, mut files) = (Vec::new(), Vec::new());
        let mut parts = Multipart::from_request(request, state).await.map_err(|refused| of_status(refused.status()))?;
        while let Some(part) = parts.next_field().await.map_err(|refused| of_status(refused.status()))? {
            let (field, is_file) = (part.name().unwrap_or_default().to_owned(), part.file_name().is_some());
            let bytes: Vec<u8> = part.bytes().await.map_err(|refused| of_status(refused.status()))?.into();
            if !is_file {
                let value = String::from_utf8(bytes).map_err(|_| ApiError::Malformed("UTF-8"))?;
                pairs.push((field, no_nul(value)?));
            } else if !bytes.is_empty() {
                files.push(FormFile { field, bytes });
            }
        }
        fields::read(&pairs, None).map(|fields| Self(fields, files))
    }
}
