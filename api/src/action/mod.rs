//! What all kinds of visitor actions have in common.

pub mod block;
pub mod favourite;
pub mod form;
pub mod history;
pub mod vote;

use std::sync::Arc;

use axum::http::StatusCode;
use lantern_catalog::actions::AddOutcome;
use lantern_config::{Config, Section};
use lantern_index::text::TermList;
use lantern_ratelimit::Limits;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use lantern_errors::{ApiError, ApiResult, NOTIFY};

/// State that actions need: member actions, votes, messages, and changes to the member's own videos.
#[derive(Clone)]
pub struct Acts {
    pub config: Arc<Config>,
    pub pool: PgPool,
    pub limits: Arc<Limits>,
    /// Terms that texts must not contain.
    pub prohibited: TermList,
    pub now: fn() -> i64,
}

/// Result of an action.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = Acted)]
pub(crate) struct ActAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    pub ok: u8,
    /// Code of a text to show: `vote_success`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<&'static str>,
    /// Id of the new comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub comment_id: Option<i64>,
    /// Id of the new wall entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub wall_id: Option<i64>,
    /// Id of the new playlist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub playlist_id: Option<i64>,
    /// Id of the saved search.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub saved_id: Option<i64>,
    /// Number of likes after the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    pub likes: Option<i64>,
    /// Number of dislikes after the action.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    pub dislikes: Option<i64>,
    /// State of the friendship: `requested` or `accepted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub friend: Option<&'static str>,
}

impl ActAnswer {
    pub fn done() -> Self {
        Self { ok: 1, ..Self::default() }
    }
}

/// Converts the outcome of adding something that can exist only once.
pub fn answer_added(added: AddOutcome, already: &'static str, missing: &'static str) -> ApiResult<ActAnswer> {
    match added {
        AddOutcome::New => Ok(ActAnswer::done()),
        AddOutcome::Already => Err(ApiError::Conflict(already)),
        AddOutcome::Missing => Err(ApiError::NotFound(missing)),
    }
}

/// Succeeds if the item was found. Otherwise fails with 404 and the code `missing`.
pub fn ok_or_not_found(found: bool, missing: &'static str) -> ApiResult<ActAnswer> {
    if found { Ok(ActAnswer::done()) } else { Err(ApiError::NotFound(missing)) }
}

/// Returns 404 for an object that does not exist or is not visible to the visitor.
pub const fn not_found(section: Section) -> ApiError {
    ApiError::NotFound(match section {
        Section::Video => "video_not_found",
        Section::Album => "album_not_found",
        Section::Model => "model_not_found",
        Section::Playlist => "playlist_not_found",
        Section::User => "member_not_found",
        Section::Channel => "channel_not_found",
    })
}

/// Returns 403, because the owner has blocked this member.
pub const fn blocked() -> ApiError {
    ApiError::Refused { status: StatusCode::FORBIDDEN, code: "blocked", field: Some(NOTIFY), info: None }
}
