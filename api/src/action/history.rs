//! `act=history`: a member's watch history. `act=view` counts views, whereas this action stores playback positions and removes entries.

use lantern_accounts::viewer::Member;
use lantern_catalog::history;
use lantern_errors::ApiResult;
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{ActAnswer, form::Id};

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename = "section", rename_all = "snake_case")]
#[schema(title = "section")]
pub enum HistoryChange {
    /// Records that a video is being watched.
    Add {
        object_id: Id,
        /// Playback position in seconds.
        stopped_at: Option<u32>,
    },
    /// Removes a video.
    Rem { object_id: Id },
    /// Removes all videos.
    Clear,
    /// Stops recording.
    Pause,
    /// Continues recording.
    Resume,
}

/// Succeeds without storing anything if the history is paused or the member may not see the video, because players report their position
/// regardless.
pub async fn history(pool: &PgPool, member: &Member, change: HistoryChange) -> ApiResult<ActAnswer> {
    let mut conn = pool.acquire().await?;
    match change {
        HistoryChange::Add { object_id, stopped_at } => {
            let second = stopped_at.map(|second| i32::try_from(second).unwrap_or(i32::MAX));
            history::watched(&mut conn, member.id, object_id.into(), second).await?;
        }
        HistoryChange::Rem { object_id } => history::remove(&mut conn, member.id, object_id.into()).await?,
        HistoryChange::Clear => history::clear(&mut conn, member.id).await?,
        HistoryChange::Pause => history::pause(&mut conn, member.id).await?,
        HistoryChange::Resume => history::resume(&mut conn, member.id).await?,
    }
    Ok(ActAnswer::done())
}
