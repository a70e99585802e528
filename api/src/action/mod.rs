//! What visitors do, as far as all kinds of it are alike.

mod block;
mod favourite;
pub mod form;
mod history;
mod saved_search;
pub mod stat;
pub mod state;
mod vote;

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

/// What people do needs: acts of members, votes, messages, changes of own videos.
#[derive(Clone)]
pub struct Acts {
    pub config: Arc<Config>,
    pub pool: PgPool,
    pub limits: Arc<Limits>,
    /// What may not be written.
    pub prohibited: TermList,
    pub now: fn() -> i64,
}

/// What was done.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = Acted)]
pub(crate) struct ActAnswer {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    pub ok: u8,
    /// A text to show: `vote_success`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub code: Option<&'static str>,
    /// The new comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub comment_id: Option<i64>,
    /// The new entry of a wall.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub wall_id: Option<i64>,
    /// The new playlist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub playlist_id: Option<i64>,
    /// The saved search.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    pub saved_id: Option<i64>,
    /// Votes for it, after the vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    pub likes: Option<i64>,
    /// Votes against it, after the vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    pub dislikes: Option<i64>,
    /// What is between the two members now: `requested` or `accepted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub friend: Option<&'static str>,
}

impl ActAnswer {
    pub fn done() -> Self {
        Self { ok: 1, ..Self::default() }
    }
}

/// What became of something that can be there once.
pub fn answer_added(added: AddOutcome, already: &'static str, missing: &'static str) -> ApiResult<ActAnswer> {
    match added {
        AddOutcome::New => Ok(ActAnswer::done()),
        AddOutcome::Already => Err(ApiError::Conflict(already)),
        AddOutcome::Missing => Err(ApiError::NotFound(missing)),
    }
}

/// What became of something that had to be there.
pub fn there_was(found: bool, missing: &'static str) -> ApiResult<ActAnswer> {
    if found { Ok(ActAnswer::done()) } else { Err(ApiError::NotFound(missing)) }
}

/// The code for an object that isn't there for the visitor.
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

/// Whose it is wants nothing from this member.
pub const fn blocked() -> ApiError {
    ApiError::Refused { status: StatusCode::FORBIDDEN, code: "blocked", field: Some(NOTIFY), info: None }
}
