//! `GET /api/moderate/queue`: pending uploads, most important first.

use axum::{extract::State, response::Response};
use lantern_catalog::moderation::queue::{self, QueuedUpload};
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{openapi::Doc, private};
use lantern_index::text::TermList;
use lantern_media::pictures::{picture, shots};
use lantern_search::index::rfc3339;
use serde::Serialize;
use utoipa::ToSchema;

use super::{Moderator, for_moderators};
use crate::state::AppState;

/// Pending uploads, and uploads with severe reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueAnswer {
    /// Uploads with urgent reports first, then those with prohibited terms or similar to removed ones, those similar to other videos,
    /// those with reports, then the oldest.
    uploads: Vec<QueueItem>,
}

/// A pending upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueItem {
    /// `video` or `album`.
    #[schema(example = "video")]
    section: String,
    /// Id.
    #[schema(example = 7, minimum = 1)]
    id: i64,
    /// Revision of the upload; required to decide on it.
    #[schema(example = 1, minimum = 0)]
    revision: i32,
    /// Title.
    #[schema(example = "Evenings by the harbour")]
    title: String,
    /// Name of its member.
    #[schema(example = "mona")]
    username: Option<String>,
    /// Id of the video that gets its film if it is approved; `null` for an upload of its own.
    #[schema(example = json!(null), minimum = 1)]
    replaces: Option<i64>,
    /// When it was created, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    created_at: String,
    /// Whether its title, description, chapters, file name or a text in its film contain a prohibited term.
    #[schema(example = false)]
    has_terms: bool,
    /// Number of pending reports.
    #[schema(example = 0, minimum = 0)]
    reports: i64,
    /// Whether one of the reports has an urgent reason.
    #[schema(example = false)]
    is_urgent: bool,
    /// Number of similar videos on the site.
    #[schema(example = 0, minimum = 0)]
    like: usize,
    /// Whether its film is similar to one that was taken down permanently.
    #[schema(example = false)]
    is_like_banned: bool,
    /// Picture.
    #[schema(example = "/media/p/films/0a/0a1b2c/shot-0-320.webp")]
    thumb: Option<String>,
}

impl QueueItem {
    pub fn new(upload: QueuedUpload, terms: &TermList) -> Self {
        Self {
            has_terms: upload.has_text(|text| terms.found_in(text)),
            like: upload.like.len(),
            is_like_banned: !upload.like_banned.is_empty(),
            thumb: thumb(&upload),
            section: upload.section,
            id: upload.id,
            revision: upload.revision,
            title: upload.title,
            username: upload.username,
            replaces: upload.replaces,
            created_at: rfc3339(upload.created_at.unix_timestamp()),
            reports: upload.reports,
            is_urgent: upload.urgency > 0,
        }
    }
}

/// Returns the chosen screenshot of a video, or the cover photo of an album.
fn thumb(upload: &QueuedUpload) -> Option<String> {
    let shot = usize::try_from(upload.shot).unwrap_or(0);
    match upload.photos.first() {
        Some(photo) => Some(picture(Some(photo))),
        None => shots(upload.media_key.as_deref()).into_iter().nth(shot),
    }
}

pub fn doc(_: &Config) -> Doc {
    let doc = Doc::new("moderation", "queue", "/api/moderate/queue", "List uploads awaiting a decision");
    for_moderators(doc).answers::<QueueAnswer>("The uploads, most important first.")
}

pub async fn list(State(state): State<AppState>, _: Moderator) -> ApiResult<Response> {
    let waiting =
        queue::list(&state.pool, |text| state.prohibited.found_in(text), state.config.moderation.queue_max).await?;
    let uploads = waiting.into_iter().map(|upload| QueueItem::new(upload, &state.prohibited)).collect();
    Ok(private::answer(QueueAnswer { uploads }))
}
