//! How far uploads have come, and what this server offers: `HEAD`, `GET` and `OPTIONS`.

use std::sync::Arc;

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::uploads::{self, ShownUpload, Upload};
use lantern_config::{Config, STATUS_REJECTED};
use lantern_errors::ApiResult;
use lantern_http::{openapi::Doc, private};
use lantern_media::film::SHOTS;
use lantern_search::index::rfc3339;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{UploadName, docs, missing, turn, tus, whole::ENDINGS};
use crate::{session::Member, state::AppState};

/// Uploads that a list shows at most: more than a day's.
const MOST: i64 = 200;

/// A member's uploads and what became of them, the latest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadsAnswer {
    /// Those that are whole and wait, too.
    uploads: Vec<UploadItem>,
    /// What is taken.
    limits: UploadLimits,
}

/// What is taken, for a form that says so before anything is sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadLimits {
    /// Bytes of a film at most.
    #[schema(example = 10_737_418_240_u64, minimum = 1)]
    max_bytes: u64,
    /// What the names of films end with.
    #[schema(value_type = Vec<String>, example = json!(ENDINGS))]
    formats: [&'static str; ENDINGS.len()],
    /// Fewest seconds of a film made for this site alone.
    #[schema(example = 360, minimum = 0)]
    exclusive_seconds: u32,
    /// Fewest seconds of any other.
    #[schema(example = 600, minimum = 0)]
    other_seconds: u32,
    /// Most seconds.
    #[schema(example = 43_200, minimum = 1)]
    max_seconds: u32,
    /// Fewest characters of a title.
    #[schema(example = 3, minimum = 1)]
    title_min: usize,
    /// Most characters of a title.
    #[schema(example = 150, minimum = 1)]
    title_max: usize,
    /// Most characters of a description.
    #[schema(example = 5000, minimum = 0)]
    description_max: usize,
    /// Most categories of a video.
    #[schema(example = 3, minimum = 1)]
    max_categories: usize,
    /// Most models of a video.
    #[schema(example = 20, minimum = 0)]
    max_models: usize,
    /// Pixels of a picture that stands for a video, at least.
    #[schema(example = 160, minimum = 1)]
    poster_width: u32,
    /// The same.
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
            description_max: films.description_max,
            max_categories: films.max_categories,
            max_models: films.max_models,
            poster_width: config.pictures.poster_min.0,
            poster_height: config.pictures.poster_min.1,
        }
    }
}

/// An upload and what became of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadItem {
    /// Where its pieces go, for the clients of tus.
    #[schema(example = "/api/uploads/9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")]
    url: String,
    /// Its own part of the address: `upload` of `video_edit.php`.
    #[schema(example = "9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")]
    token: String,
    /// As the member's browser called it.
    #[schema(example = "film.mp4")]
    file_name: String,
    /// Bytes of the whole file.
    #[schema(example = 360_710_144, minimum = 1)]
    size_bytes: i64,
    /// Bytes that have come and are durable.
    #[schema(example = 16_777_216, minimum = 0)]
    received_bytes: i64,
    /// `receiving`; `received`: whole, and nobody said what it is called; `processing`; `done`: it is a video; `failed`.
    #[schema(example = "receiving")]
    state: String,
    /// Why it failed.
    #[schema(example = json!(null))]
    error_code: Option<String>,
    /// When it is removed unless more comes, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    expires_at: String,
    /// What its member calls it, once they said it.
    #[schema(example = "Evenings by the harbour")]
    title: Option<String>,
    /// What is done with it: `waiting`, `checking`, `encoding` or `pictures`; `null` unless it is `processing`.
    #[schema(example = json!(null))]
    step: Option<String>,
    /// How much of the step is done.
    #[schema(example = json!(null), minimum = 0, maximum = 100)]
    percent: Option<i32>,
    /// The video it became.
    video: Option<UploadedVideo>,
}

/// The video that an upload became.
#[derive(Debug, Serialize, ToSchema)]
pub struct UploadedVideo {
    /// Its id.
    #[schema(example = 7, minimum = 1)]
    video_id: i64,
    /// 3: its member chooses a screenshot; 2: it waits for a decision; 1 active; 4 rejected.
    #[schema(example = 3, minimum = 1, maximum = 4)]
    status_id: i16,
    /// Why it was rejected; the text is that of the code `rejected_` and this word.
    #[schema(example = json!(null))]
    reason: Option<String>,
    /// Its screenshots, by their numbers; only its member sees them.
    #[schema(example = json!(["/media/p/films/0a/0a1b2c/shot-0-320.webp"]))]
    shots: Vec<String>,
}

impl UploadItem {
    fn new(ShownUpload { upload, title, step, percent, video }: ShownUpload) -> Self {
        Self {
            url: format!("/api/uploads/{}", upload.token),
            token: upload.token,
            file_name: upload.file_name,
            size_bytes: upload.size_bytes,
            received_bytes: upload.received_bytes,
            state: upload.state,
            error_code: upload.error_code,
            expires_at: rfc3339(upload.expires_at.unix_timestamp()),
            title,
            step,
            percent,
            video: video.map(|video| UploadedVideo {
                video_id: video.id,
                status_id: video.status_id,
                reason: video.rejection.filter(|_| video.status_id == STATUS_REJECTED),
                shots: shots(video.media_key.as_deref()),
            }),
        }
    }
}

/// Addresses of the screenshots in a folder.
pub fn shots(media_key: Option<&str>) -> Vec<String> {
    media_key
        .map_or_else(Vec::new, |key| (0..SHOTS).map(|shot| format!("/media/p/{key}/shot-{shot}-320.webp")).collect())
}

pub fn list_doc(_: &Config) -> Doc {
    Doc::new("uploads", "uploads", "/api/uploads/", "Own uploads and what became of them")
        .about("What is no video yet, what waits for its member or for a decision, and what ended in the last `films.shown_days`.")
        .for_members()
        .answers::<UploadsAnswer>("The latest first.")
}

pub async fn list(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    member: Member,
) -> ApiResult<Response> {
    let uploads = uploads::list(&pool, member.id, config.films.shown_days, MOST).await?;
    let uploads = uploads.into_iter().map(UploadItem::new).collect();
    Ok(private::answer(UploadsAnswer { uploads, limits: UploadLimits::of(&config) }))
}

pub fn offset_doc(_: &Config) -> Doc {
    Doc::call(Method::HEAD, "uploads", "upload_offset", "/api/uploads/{token}", "How much of an upload has come")
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
    let turn = turn(&state.pool, &state.turns, &member, &token).await?;
    let upload = uploads::find(&state.pool, &token, member.id).await?.ok_or_else(missing)?;
    drop(turn);
    let mut response = state_of(StatusCode::OK, &upload);
    response.headers_mut().insert(tus::LENGTH, HeaderValue::from(upload.size_bytes));
    Ok(response)
}

/// An answer without a body that says how far an upload has come.
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
    Doc::call(Method::OPTIONS, "uploads", "upload_options", "/api/uploads/", "What this server offers of tus")
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
