//! `GET /api/moderate/queue`: uploads that wait, those that matter most first.

use axum::{extract::State, response::Response};
use lantern_catalog::moderation::queue::{self, QueuedUpload};
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{openapi::Doc, private};
use lantern_index::text::TermList;
use lantern_search::index::{picture, rfc3339};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{Moderator, for_moderators};
use crate::{state::AppState, upload::show::shots};

/// Uploads that wait, and those that severe reports speak of.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueAnswer {
    /// Those with urgent reports first, then those with prohibited terms or that look like what was taken down, those that look like another
    /// video, those that reports speak of, and the oldest.
    uploads: Vec<QueueItem>,
}

/// An upload that waits.
#[derive(Debug, Serialize, ToSchema)]
pub struct QueueItem {
    /// `video` or `album`.
    #[schema(example = "video")]
    section: String,
    /// Its id.
    #[schema(example = 7, minimum = 1)]
    id: i64,
    /// Number of what its member changed in it; whoever decides names it.
    #[schema(example = 1, minimum = 0)]
    revision: i32,
    /// What its member calls it.
    #[schema(example = "Evenings by the harbour")]
    title: String,
    /// Its member.
    #[schema(example = "mona")]
    username: Option<String>,
    /// Since when it is here, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    created_at: String,
    /// Whether a prohibited term is in its title, its description or the name of its file.
    #[schema(example = false)]
    has_terms: bool,
    /// Reports of it that wait.
    #[schema(example = 0, minimum = 0)]
    reports: i64,
    /// Whether one of them has a reason that comes before everything else.
    #[schema(example = false)]
    is_urgent: bool,
    /// How many videos of the site its film looks like.
    #[schema(example = 0, minimum = 0)]
    like: usize,
    /// Whether its film looks like one that was taken down for good.
    #[schema(example = false)]
    is_like_banned: bool,
    /// Its picture.
    #[schema(example = "/media/p/films/0a/0a1b2c/shot-0-320.webp")]
    thumb: Option<String>,
}

/// Whether a prohibited term is in an upload's title, its description or the name of its file.
#[must_use]
pub fn has_terms(upload: &QueuedUpload, terms: &TermList) -> bool {
    let texts = [Some(&upload.title), Some(&upload.description), upload.file_name.as_ref()];
    texts.into_iter().flatten().any(|text| terms.found_in(text))
}

/// The uploads that wait or that severe reports speak of, at most `most` of them: those with urgent reports first, then those with
/// prohibited terms or that look like what was taken down, those that look like another video, those that reports speak of, and the
/// oldest.
pub async fn list_waiting(pool: &PgPool, terms: &TermList, most: u32) -> lantern_catalog::Result<Vec<QueuedUpload>> {
    let first = queue::find_texts(pool, |text| terms.found_in(text)).await?;
    queue::list(pool, &first, most).await
}

impl QueueItem {
    pub fn new(upload: QueuedUpload, terms: &TermList) -> Self {
        Self {
            has_terms: has_terms(&upload, terms),
            like: upload.like.len(),
            is_like_banned: !upload.like_banned.is_empty(),
            thumb: thumb(&upload),
            section: upload.section,
            id: upload.id,
            revision: upload.revision,
            title: upload.title,
            username: upload.username,
            created_at: rfc3339(upload.created_at.unix_timestamp()),
            reports: upload.reports,
            is_urgent: upload.urgency > 0,
        }
    }
}

/// The screenshot that is a video's picture, its only one, or the photo that stands for an album.
fn thumb(upload: &QueuedUpload) -> Option<String> {
    let shot = usize::try_from(upload.shot).unwrap_or(0);
    match upload.photos.first() {
        Some(photo) => Some(picture(Some(photo))),
        None => shots(upload.media_key.as_deref()).into_iter().nth(shot),
    }
}

pub fn doc(_: &Config) -> Doc {
    let doc = Doc::new("moderation", "queue", "/api/moderate/queue", "Uploads that wait for a decision");
    for_moderators(doc).answers::<QueueAnswer>("Those that matter most first.")
}

pub async fn list(State(state): State<AppState>, _: Moderator) -> ApiResult<Response> {
    let waiting = list_waiting(&state.pool, &state.prohibited, state.config.moderation.queue_max).await?;
    let uploads = waiting.into_iter().map(|upload| QueueItem::new(upload, &state.prohibited)).collect();
    Ok(private::answer(QueueAnswer { uploads }))
}
