//! `act=playlist`.

use std::num::NonZeroU32;

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::{
    self,
    playlist_items::{self, ItemsOutcome},
    playlists::{self, PlaylistDetails, PlaylistOutcome},
};
use lantern_config::{Config, Gender, Section};
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_index::text::TermList;
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{
    action::{
        ActAnswer,
        form::{Id, VisibleList},
        not_found, ok_or_not_found,
    },
    text::{TextBounds, checked},
};

const MISSING: &str = "playlist_not_found";

#[derive(Deserialize, ToSchema)]
#[serde(rename = "section", rename_all = "snake_case")]
#[schema(title = "section")]
pub enum PlaylistChange {
    /// Creates a playlist.
    New {
        // Texts default to empty ones, so that the handler reports all invalid texts at once.
        /// Title.
        #[serde(default)]
        #[schema(required)]
        title: String,
        /// Description.
        #[serde(default)]
        #[schema(required)]
        desc: String,
        /// 0 private, 1 public.
        visible: Option<VisibleList>,
        orientation: Option<Gender>,
        /// Id of a first video.
        video_id: Option<Id>,
    },
    /// Changes the details. If `visible` or `orientation` is missing, it keeps its value.
    Upd {
        object_id: Id,
        /// Title.
        #[serde(default)]
        #[schema(required)]
        title: String,
        /// Description.
        #[serde(default)]
        #[schema(required)]
        desc: String,
        /// 0 private, 1 public.
        visible: Option<VisibleList>,
        orientation: Option<Gender>,
    },
    /// Deletes the playlist.
    Del { object_id: Id },
    /// Adds a video.
    Add {
        object_id: Id,
        video_id: Id,
        /// Position from 1; defaults to the end.
        #[schema(value_type = Option<u32>, minimum = 1)]
        position: Option<NonZeroU32>,
    },
    /// Removes a video.
    Rem { object_id: Id, video_id: Id },
    /// Moves a video.
    Move {
        object_id: Id,
        video_id: Id,
        /// Position from 1.
        #[schema(value_type = u32, minimum = 1)]
        position: NonZeroU32,
    },
}

pub async fn playlist(
    pool: &PgPool,
    config: &Config,
    prohibited: &TermList,
    member: &Member,
    change: PlaylistChange,
) -> ApiResult<ActAnswer> {
    let most = config.playlists.max_videos;
    let changed = match change {
        PlaylistChange::New { title, desc, visible, orientation, video_id } => {
            let details = details(config, prohibited, [&title, &desc], visible, orientation)?;
            return create(pool, config, member, &details, video_id.map(i64::from)).await;
        }
        PlaylistChange::Upd { object_id, title, desc, visible, orientation } => {
            let details = details(config, prohibited, [&title, &desc], visible, orientation)?;
            let found = playlists::update(pool, member.id, object_id.into(), &details).await?;
            return ok_or_not_found(found, MISSING);
        }
        PlaylistChange::Del { object_id } => {
            return ok_or_not_found(playlists::delete(pool, member.id, object_id.into()).await?, MISSING);
        }
        PlaylistChange::Add { object_id, video_id, position } => {
            let place = position.map(NonZeroU32::get);
            playlist_items::add(pool, member.id, object_id.into(), video_id.into(), most, place).await?
        }
        PlaylistChange::Rem { object_id, video_id } => {
            playlist_items::remove(pool, member.id, object_id.into(), video_id.into()).await?
        }
        PlaylistChange::Move { object_id, video_id, position } => {
            playlist_items::move_to(pool, member.id, object_id.into(), video_id.into(), position.get()).await?
        }
    };
    answer_changed(changed)
}

/// Creates a playlist, with a first video if one is given.
async fn create(
    pool: &PgPool,
    config: &Config,
    member: &Member,
    details: &PlaylistDetails,
    video: Option<i64>,
) -> ApiResult<ActAnswer> {
    if let Some(video) = video {
        let mut conn = pool.acquire().await?;
        if !actions::is_visible(&mut conn, Section::Video, video, Some(member.id)).await? {
            return Err(not_found(Section::Video));
        }
    }
    let bounds = &config.playlists;
    let made = playlists::create(pool, member.id, details, bounds.max_per_member, bounds.same_seconds).await?;
    let playlist = match made {
        PlaylistOutcome::New(playlist) | PlaylistOutcome::Same(playlist) => playlist,
        PlaylistOutcome::TooMany => return Err(ApiError::Conflict("too_many_playlists")),
        PlaylistOutcome::Missing => return Err(ApiError::NeedAuth),
    };
    if let Some(video) = video {
        match playlist_items::add(pool, member.id, playlist, video, bounds.max_videos, None).await? {
            // This was a repeated click.
            ItemsOutcome::Already => {}
            added => {
                answer_changed(added)?;
            }
        }
    }
    Ok(ActAnswer { playlist_id: Some(playlist), ..ActAnswer::done() })
}

/// Validates the details. Reports all invalid fields at once, as the form shows them.
fn details(
    config: &Config,
    prohibited: &TermList,
    [title, desc]: [&str; 2],
    visible: Option<VisibleList>,
    orientation: Option<Gender>,
) -> ApiResult<PlaylistDetails> {
    let config = &config.playlists;
    let title_bounds = TextBounds {
        field: "title",
        min: config.title_min,
        min_code: "min_length",
        max: config.title_max,
        one_line: true,
    };
    let desc_bounds = TextBounds {
        field: "desc",
        min: config.description_min,
        min_code: "min_length",
        max: config.description_max,
        one_line: false,
    };
    let title = checked(Some(title), title_bounds, prohibited);
    let description = checked(Some(desc), desc_bounds, prohibited);
    let refusals = [title.as_ref().err(), description.as_ref().err()];
    let wrong: Vec<FieldError> = refusals.into_iter().flatten().flat_map(ApiError::fields).collect();
    if wrong.len() > 1 {
        return Err(ApiError::Fields(wrong));
    }
    Ok(PlaylistDetails {
        title: title?,
        description: description?,
        visibility: visible.map(|visible| visible.0),
        orientation,
    })
}

fn answer_changed(outcome: ItemsOutcome) -> ApiResult<ActAnswer> {
    match outcome {
        ItemsOutcome::Done => Ok(ActAnswer::done()),
        ItemsOutcome::Already => Err(ApiError::Conflict("playlist_already_added")),
        ItemsOutcome::Full => Err(ApiError::Conflict("playlist_full")),
        ItemsOutcome::NoPlaylist => Err(ApiError::NotFound(MISSING)),
        ItemsOutcome::NoVideo => Err(not_found(Section::Video)),
    }
}
