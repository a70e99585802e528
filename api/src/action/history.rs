//! `act=history`: a member's watch history. `act=view` counts views, whereas this action stores playback positions and removes entries.

use lantern_accounts::viewer::Member;
use lantern_catalog::history;
use lantern_errors::ApiResult;
use serde::Deserialize;
use sqlx::PgPool;

use super::{ActAnswer, form::StatForm};

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum HistoryChange {
    Add,
    Rem,
    Clear,
    Pause,
    Resume,
}

/// Succeeds without storing anything if the history is paused or the member may not see the video, because players report their position
/// regardless.
pub async fn history(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let change = form.section()?;
    let mut conn = pool.acquire().await?;
    match change {
        HistoryChange::Add => {
            let second = form.stopped_at.map(|second| i32::try_from(second).unwrap_or(i32::MAX));
            history::watched(&mut conn, member.id, form.object()?, second).await?;
        }
        HistoryChange::Rem => history::remove(&mut conn, member.id, form.object()?).await?,
        HistoryChange::Clear => history::clear(&mut conn, member.id).await?,
        HistoryChange::Pause => history::pause(&mut conn, member.id).await?,
        HistoryChange::Resume => history::resume(&mut conn, member.id).await?,
    }
    Ok(ActAnswer::done())
}
