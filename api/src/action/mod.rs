//! `POST /api/stat.php`: what visitors do, one module per kind of action.
//!
//! Everything can be sent twice: what is taken away may be gone already, what is added is told to be there. Guests may look
//! and vote; the rest needs a session.

mod block;
mod favourite;
pub mod form;
mod history;
pub mod state;
mod vote;

use axum::{extract::State, http::HeaderMap, http::StatusCode, response::Response};
use lantern_catalog::actions::Added;
use lantern_config::Section;
use lantern_ratelimit::{Action, Key};
use serde::Serialize;
use utoipa::ToSchema;

use self::form::{Act, StatForm};
use crate::{
    comment::{wall, write},
    friend::ask,
    http::{
        error::{ApiError, ApiResult, NOTIFY},
        extract::{Client, Form, Member, Viewer},
        private,
    },
    playlist::edit,
    state::AppState,
    subscription::follow,
    view::count,
};

/// What was done.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct Acted {
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

impl Acted {
    pub fn done() -> Self {
        Self { ok: 1, ..Self::default() }
    }
}

/// The handler.
///
/// # Errors
/// 401 `need_auth`, 404 for what isn't there for this visitor, 409 for what is so already, 422 for the form, 429.
pub async fn stat(
    State(state): State<AppState>,
    viewer: Viewer,
    client: Client,
    headers: HeaderMap,
    Form(form): Form<StatForm>,
) -> ApiResult<Response> {
    let acted = match form.act {
        Act::View => count::view(&state, viewer.0.as_ref(), &client, &headers, &form).await,
        Act::Vote => vote::vote(&state, viewer.0.as_ref(), &client, &form).await,
        _ => {
            let member = viewer.0.ok_or(ApiError::NeedAuth)?;
            state.limits.take(Action::Act, &Key::member(member.id)).await?;
            of_member(&state, &member, &form).await
        }
    };
    acted.map(private::answer)
}

async fn of_member(state: &AppState, member: &Member, form: &StatForm) -> ApiResult<Acted> {
    match form.act {
        Act::Favourite => favourite::favourite(state, member, form).await,
        Act::WatchLater => favourite::watch_later(state, member, form).await,
        Act::Playlist => edit::playlist(state, member, form).await,
        Act::Comm => write::comment(state, member, form).await,
        Act::CommDel => write::delete(state, member, form).await,
        Act::Wall => wall::wall(state, member, form).await,
        Act::WallDel => wall::delete(state, member, form).await,
        Act::Subscribe => follow::subscribe(state, member, form).await,
        Act::Friend => ask::friend(state, member, form).await,
        Act::History => history::history(state, member, form).await,
        Act::Block => block::block(state, member, form).await,
        // Guests do these too, so they were answered before.
        Act::View | Act::Vote => Err(ApiError::invalid("act")),
    }
}

/// What became of something that can be there once.
pub fn told(added: Added, already: &'static str, missing: &'static str) -> ApiResult<Acted> {
    match added {
        Added::New => Ok(Acted::done()),
        Added::Already => Err(ApiError::Conflict(already)),
        Added::Missing => Err(ApiError::NotFound(missing)),
    }
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
