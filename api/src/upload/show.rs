//! How far uploads have come, and what this server offers: `HEAD`, `GET` and `OPTIONS`.

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::uploads::{self, Upload};
use lantern_config::Config;
use serde::Serialize;
use sqlx::PgPool;
use std::sync::Arc;
use utoipa::ToSchema;

use super::{UploadName, docs, missing, turn, tus};
use crate::{
    http::{
        error::ApiResult,
        extract::Member,
        private::{self, PRIVATE},
    },
    index::rfc3339,
    openapi::Doc,
    state::AppState,
};

/// Uploads that a list shows at most: more than a day's.
const MOST: i64 = 200;

/// A member's uploads that are no video yet, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadsAnswer {
    /// Those that are whole and wait, too.
    uploads: Vec<UploadItem>,
}

/// An upload that is no video yet.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadItem {
    /// Where its pieces go, for the clients of tus.
    #[schema(example = "/api/uploads/9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")]
    url: String,
    /// As the member's browser called it.
    #[schema(example = "film.mp4")]
    file_name: String,
    /// Bytes of the whole file.
    #[schema(example = 360_710_144, minimum = 1)]
    size_bytes: i64,
    /// Bytes that have come and are durable.
    #[schema(example = 16_777_216, minimum = 0)]
    received_bytes: i64,
    /// `receiving`, `received`, `processing` or `failed`.
    #[schema(example = "receiving")]
    state: String,
    /// Why it failed.
    #[schema(example = json!(null))]
    error_code: Option<String>,
    /// When it is removed unless more comes, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    expires_at: String,
}

impl UploadItem {
    fn new(upload: Upload) -> Self {
        Self {
            url: format!("/api/uploads/{}", upload.token),
            file_name: upload.file_name,
            size_bytes: upload.size_bytes,
            received_bytes: upload.received_bytes,
            state: upload.state,
            error_code: upload.error_code,
            expires_at: rfc3339(upload.expires_at.unix_timestamp()),
        }
    }
}

pub fn list_doc(_: &Config) -> Doc {
    Doc::new("uploads", "uploads", "/api/uploads/", "Own uploads that are no video yet")
        .for_members()
        .answers::<UploadsAnswer>("The latest first.")
}

pub async fn list(State(pool): State<PgPool>, member: Member) -> ApiResult<Response> {
    let uploads = uploads::list(&pool, member.id, MOST).await?;
    Ok(private::answer(UploadsAnswer { uploads: uploads.into_iter().map(UploadItem::new).collect() }))
}

pub fn offset_doc(_: &Config) -> Doc {
    Doc::call("head", "uploads", "upload_offset", "/api/uploads/{token}", "How much of an upload has come")
        .about("tus 1.0, core. The next piece begins at `Upload-Offset`.")
        .for_members()
        .takes(docs::token())
        .takes(docs::version())
        .answers_empty(200, "So much is durable.")
        .with_header(200, "Upload-Offset", "Bytes that have come.", "16777216")
        .with_header(200, "Upload-Length", "Bytes of the whole file.", "360710144")
        .with_header(200, "Upload-Expires", "When it is removed unless more comes.", "Thu, 01 Oct 2026 12:00:00 GMT")
        .refuses(docs::other_version())
        .refuses(docs::missing())
}

/// Asked by who lost the line, so the answer is to hold.
pub async fn offset(
    State(state): State<AppState>,
    member: Member,
    UploadName(token): UploadName,
    headers: HeaderMap,
) -> ApiResult<Response> {
    tus::check_version(&headers)?;
    let turn = turn(&state, &member, &token).await?;
    let upload = uploads::find(&state.pool, &token, member.id).await?.ok_or_else(missing)?;
    drop(turn);
    let mut response = state_of(StatusCode::OK, &upload);
    response.headers_mut().insert(tus::LENGTH, HeaderValue::from(upload.size_bytes));
    Ok(response)
}

/// An answer without a body that says how far an upload has come.
pub fn state_of(status: StatusCode, upload: &Upload) -> Response {
    let mut response = (status, [(header::CACHE_CONTROL, PRIVATE)]).into_response();
    let headers = response.headers_mut();
    headers.insert(tus::OFFSET, HeaderValue::from(upload.received_bytes));
    if upload.is_open() {
        headers.insert(tus::EXPIRES, tus::date(upload.expires_at));
    }
    response
}

pub fn options_doc(_: &Config) -> Doc {
    Doc::call("options", "uploads", "upload_options", "/api/uploads/", "What this server offers of tus")
        .answers_empty(204, "In the headers.")
        .with_header(204, "Tus-Version", "Versions of the protocol.", tus::VERSION)
        .with_header(204, "Tus-Extension", "What is there beside its core.", tus::OFFERED)
        .with_header(204, "Tus-Checksum-Algorithm", "How a piece may be proven.", tus::PROOFS)
        .with_header(204, "Tus-Max-Size", "Bytes of a file at most.", "10737418240")
}

pub async fn options(State(config): State<Arc<Config>>) -> Response {
    let words = |text| HeaderValue::from_static(text);
    let headers = [
        (tus::VERSIONS, words(tus::VERSION)),
        (tus::EXTENSIONS, words(tus::OFFERED)),
        (tus::ALGORITHMS, words(tus::PROOFS)),
        (tus::MAX_SIZE, HeaderValue::from(config.uploads.max_bytes)),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
