//! `HEAD`, `GET` and `OPTIONS`: progress of uploads, and server capabilities.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_accounts::viewer::Member;
use lantern_catalog::{
    status::UploadStatus,
    uploads::{self, ShownUpload, Upload},
};
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{openapi::Doc, private, rfc3339};
use lantern_media::pictures::shots;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{ENDINGS, UploadName, docs, intake::Intake, missing, turn, tus};

/// Maximum number of uploads to list, which is higher than the daily limit.
const MAX_LISTED: i64 = 200;

/// Uploads of a member and their state.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadsAnswer {
    /// Latest first; includes complete ones.
    uploads: Vec<UploadItem>,
    /// Limits of uploads.
    limits: UploadLimits,
}

/// Limits of uploads, so that a form can check them before sending.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadLimits {
    /// Maximum size of a film in bytes.
    #[schema(example = 10_737_418_240_u64, minimum = 1)]
    max_bytes: u64,
    /// Accepted file name extensions.
    #[schema(value_type = Vec<String>, example = json!(ENDINGS))]
    formats: [&'static str; ENDINGS.len()],
    /// Minimum duration in seconds of a film exclusive to this site.
    #[schema(example = 360, minimum = 0)]
    exclusive_seconds: u32,
    /// Minimum duration in seconds of any other film.
    #[schema(example = 600, minimum = 0)]
    other_seconds: u32,
    /// Maximum duration in seconds.
    #[schema(example = 43_200, minimum = 1)]
    max_seconds: u32,
    /// Minimum length of a title in characters.
    #[schema(example = 3, minimum = 1)]
    title_min: usize,
    /// Maximum length of a title in characters.
    #[schema(example = 150, minimum = 1)]
    title_max: usize,
    /// Maximum number of chapters in the field `chapters`.
    #[schema(example = 100, minimum = 2)]
    max_chapters: usize,
    /// Maximum length of a chapter's title in characters.
    #[schema(example = 100, minimum = 1)]
    chapter_title_max: usize,
    /// Maximum length of a description in characters.
    #[schema(example = 5000, minimum = 0)]
    description_max: usize,
    /// Maximum number of categories per video.
    #[schema(example = 3, minimum = 1)]
    max_categories: usize,
    /// Maximum number of models per video.
    #[schema(example = 20, minimum = 0)]
    max_models: usize,
    /// Minimum width of a poster in pixels.
    #[schema(example = 160, minimum = 1)]
    poster_width: u32,
    /// Minimum height of a poster in pixels.
    #[schema(example = 90, minimum = 1)]
    poster_height: u32,
}

impl UploadLimits {
    const fn of(config: &Config) -> Self {
        let films = &config.films;
        Self {
            max_bytes: config.uploads.max_bytes,
            formats: ENDINGS,
            exclusive_seconds: films.exclusive_seconds,
            other_seconds: films.other_seconds,
            max_seconds: films.max_seconds,
            title_min: films.title_min,
            title_max: films.title_max,
            max_chapters: films.max_chapters,
            chapter_title_max: films.chapter_title_max,
            description_max: films.description_max,
            max_categories: films.max_categories,
            max_models: films.max_models,
            poster_width: config.pictures.poster_min.0,
            poster_height: config.pictures.poster_min.1,
        }
    }
}

/// An upload and its state.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadItem {
    /// Address for tus clients.
    #[schema(example = "/api/uploads/9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")]
    url: String,
    /// Token in the address; the field `upload` of `video_edit.php`.
    #[schema(example = "9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")]
    token: String,
    /// File name sent by the browser.
    #[schema(example = "film.mp4")]
    file_name: String,
    /// Size of the whole file in bytes.
    #[schema(example = 360_710_144, minimum = 1)]
    size_bytes: i64,
    /// Number of bytes durably received.
    #[schema(example = 16_777_216, minimum = 0)]
    received_bytes: i64,
    /// `receiving`; `received`: complete, without metadata; `processing`; `done`: it is a video; `failed`.
    #[schema(example = "receiving")]
    state: String,
    /// Code of the failure.
    #[schema(example = json!(null))]
    error_code: Option<String>,
    /// When the upload is deleted unless more arrives, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    expires_at: String,
    /// Title, once its member has set one.
    #[schema(example = "Evenings by the harbour")]
    title: Option<String>,
    /// Processing step: `waiting`, `checking`, `encoding` or `pictures`; `null` unless `processing`.
    #[schema(example = json!(null))]
    step: Option<String>,
    /// Progress of the step in percent.
    #[schema(example = json!(null), minimum = 0, maximum = 100)]
    percent: Option<i32>,
    /// When processing is attempted again after a failed attempt, RFC 3339; `null` unless it waits for that.
    #[schema(example = json!(null), format = DateTime)]
    retry_at: Option<String>,
    /// Whether the file of a failed upload is retained until `expires_at`, because the site is at fault and may try again.
    #[schema(example = false)]
    is_kept: bool,
    /// Id of the own video whose film it replaces once it is approved; `null` for a video of its own.
    #[schema(example = json!(null), minimum = 1)]
    replaces: Option<i64>,
    /// Resulting video. If it `replaces` another, nobody can open it, and it is rejected (4) or in review (2).
    video: Option<UploadedVideo>,
}

/// The video created from an upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadedVideo {
    /// Id.
    #[schema(example = 7, minimum = 1)]
    video_id: i64,
    /// Status, never 5; 3 until a screenshot is chosen.
    #[schema(example = 3)]
    status_id: UploadStatus,
    /// Why it was rejected; `rejected_` followed by this word is the code of the text.
    #[schema(example = json!(null))]
    reason: Option<String>,
    /// When it is to be published, RFC 3339.
    #[schema(example = json!(null), format = DateTime)]
    publish_at: Option<String>,
    /// Screenshots by number; visible only to its member.
    #[schema(example = json!(["/media/p/films/0a/0a1b2c/shot-0-320.webp"]))]
    shots: Vec<String>,
    /// Whether it plays without sound because the film's sound can't be decoded.
    #[schema(example = false)]
    has_lost_audio: bool,
}

impl UploadItem {
    fn new(ShownUpload { upload, title, step, percent, retry_at, is_kept, replaces, video }: ShownUpload) -> Self {
        Self {
            url: format!("/api/uploads/{}", upload.token),
            token: upload.token,
            file_name: upload.file_name,
            size_bytes: upload.size_bytes,
            received_bytes: upload.received_bytes,
            state: upload.state,
            error_code: upload.error_code,
            expires_at: rfc3339(upload.expires_at),
            title,
            step,
            percent,
            retry_at: retry_at.map(rfc3339),
            is_kept,
            replaces,
            video: video.map(|video| UploadedVideo {
                video_id: video.id,
                status_id: video.status_id,
                reason: video.rejection.filter(|_| video.status_id == UploadStatus::Rejected),
                publish_at: video.publish_at.map(rfc3339),
                shots: shots(video.media_key.as_deref()),
                has_lost_audio: video.has_lost_audio,
            }),
        }
    }
}

pub fn list_doc(_: &Config) -> Doc {
    Doc::new("uploads", "uploads", "/api/uploads/", "List own uploads")
        .about("Uploads that are not videos yet, that await their member or a decision, or that ended in the last `films.shown_days`, also those that replace films.")
        .for_members()
        .answers::<UploadsAnswer>("The uploads, latest first.")
}

pub async fn list(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    member: Member,
) -> ApiResult<Response> {
    let uploads = uploads::list(&pool, member.id, config.films.shown_days, MAX_LISTED).await?;
    let uploads = uploads.into_iter().map(UploadItem::new).collect();
    Ok(private::answer(UploadsAnswer { uploads, limits: UploadLimits::of(&config) }))
}

pub fn offset_doc(_: &Config) -> Doc {
    Doc::call(Method::HEAD, "uploads", "upload_offset", "/api/uploads/{token}", "Get the progress of an upload")
        .about("tus 1.0, core. The next piece starts at `Upload-Offset`.")
        .for_members()
        .takes(docs::token())
        .takes(docs::version())
        .answers_empty(200, "The durably received bytes.")
        .with_header(200, "Upload-Offset", "Number of bytes received.", "16777216")
        .with_header(200, "Upload-Length", "Bytes of the whole file.", "360710144")
        .with_header(
            200,
            "Upload-Expires",
            "When the upload is deleted unless more arrives.",
            "Thu, 01 Oct 2026 12:00:00 GMT",
        )
        .refuses(docs::other_version())
        .refuses(docs::missing())
}

/// Returns the offset at which a client resumes. Takes the turn first, so that no other request changes the offset in
/// the meantime.
pub async fn offset(
    State(intake): State<Intake>,
    member: Member,
    UploadName(token): UploadName,
    headers: HeaderMap,
) -> ApiResult<Response> {
    tus::check_version(&headers)?;
    let turn = turn(&intake, &member, &token).await?;
    let upload = uploads::find(&intake.pool, &token, member.id).await?.ok_or_else(missing)?;
    drop(turn);
    let mut response = state_of(StatusCode::OK, &upload);
    response.headers_mut().insert(tus::LENGTH, HeaderValue::from(upload.size_bytes));
    Ok(response)
}

/// Returns a response with the progress of an upload in its headers.
pub fn state_of(status: StatusCode, upload: &Upload) -> Response {
    let mut response = (status, [(header::CACHE_CONTROL, private::PRIVATE)]).into_response();
    let headers = response.headers_mut();
    headers.insert(tus::OFFSET, HeaderValue::from(upload.received_bytes));
    if upload.is_open() {
        headers.insert(tus::EXPIRES, tus::date(upload.expires_at));
    }
    response
}

pub fn options_doc(_: &Config) -> Doc {
    Doc::call(Method::OPTIONS, "uploads", "upload_options", "/api/uploads/", "Get the tus capabilities of the server")
        .answers_empty(204, "The capabilities, in the headers.")
        .with_header(204, "Tus-Version", "Protocol versions.", tus::VERSION)
        .with_header(204, "Tus-Extension", "Supported extensions.", tus::EXTENSION_NAMES)
        .with_header(204, "Tus-Checksum-Algorithm", "Supported checksum algorithms.", tus::ALGORITHM_NAMES)
        .with_header(204, "Tus-Max-Size", "Maximum file size in bytes.", "10737418240")
}

pub async fn options(State(config): State<Arc<Config>>) -> Response {
    let words = |text| HeaderValue::from_static(text);
    let headers = [
        (tus::VERSIONS, words(tus::VERSION)),
        (tus::EXTENSIONS, words(tus::EXTENSION_NAMES)),
        (tus::ALGORITHMS, words(tus::ALGORITHM_NAMES)),
        (tus::MAX_SIZE, HeaderValue::from(config.uploads.max_bytes)),
    ];
    (StatusCode::NO_CONTENT, headers).into_response()
}
