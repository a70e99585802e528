//! `POST /api/stat.php`: what visitors do, one module per kind of action.
//!
//! Everything can be sent twice: what is taken away may be gone already, what is added is told to be there. Guests may look
//! and vote; the rest needs a session.

mod block;
mod comment;
mod favourite;
mod form;
mod friend;
mod history;
mod playlist;
mod subscribe;
mod view;
mod vote;
mod wall;

use axum::{extract::State, http::HeaderMap, http::StatusCode, response::Response};
use lantern_catalog::actions::Added;
use lantern_config::Section;
use lantern_ratelimit::{Action, Key};
use serde::Serialize;
use utoipa::ToSchema;

use self::form::{Act, StatForm};
use crate::{
    error::{ApiError, ApiResult, NOTIFY},
    extract::{Client, Form, Member, Viewer},
    private,
    state::AppState,
};

/// What was done.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct Acted {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    ok: u8,
    /// A text to show: `vote_success`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    code: Option<&'static str>,
    /// The new comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    comment_id: Option<i64>,
    /// The new entry of a wall.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    wall_id: Option<i64>,
    /// The new playlist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1)]
    playlist_id: Option<i64>,
    /// Votes for it, after the vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    likes: Option<i64>,
    /// Votes against it, after the vote.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    dislikes: Option<i64>,
    /// What is between the two members now: `requested` or `accepted`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    friend: Option<&'static str>,
}

impl Acted {
    fn done() -> Self {
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
        Act::View => view::view(&state, viewer.0.as_ref(), &client, &headers, &form).await,
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
        Act::Playlist => playlist::playlist(state, member, form).await,
        Act::Comm => comment::comment(state, member, form).await,
        Act::CommDel => comment::delete(state, member, form).await,
        Act::Wall => wall::wall(state, member, form).await,
        Act::WallDel => wall::delete(state, member, form).await,
        Act::Subscribe => subscribe::subscribe(state, member, form).await,
        Act::Friend => friend::friend(state, member, form).await,
        Act::History => history::history(state, member, form).await,
        Act::Block => block::block(state, member, form).await,
        // Guests do these too, so they were answered before.
        Act::View | Act::Vote => Err(ApiError::invalid("act")),
    }
}

/// What became of something that can be there once.
fn told(added: Added, already: &'static str, missing: &'static str) -> ApiResult<Acted> {
    match added {
        Added::New => Ok(Acted::done()),
        Added::Already => Err(ApiError::Conflict(already)),
        Added::Missing => Err(ApiError::NotFound(missing)),
    }
}

/// The code for an object that isn't there for the visitor.
pub(super) const fn not_found(section: Section) -> ApiError {
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
const fn blocked() -> ApiError {
    ApiError::Refused { status: StatusCode::FORBIDDEN, code: "blocked", field: Some(NOTIFY), info: None }
}
