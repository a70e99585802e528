//! The actions of `POST /api/stat.php` on what is one's own: the history and the block list.

use axum::response::Response;
use lantern_catalog::{blocks, history};
use serde::Deserialize;

use super::required;
use crate::{
    error::{ApiError, ApiResult},
    extract::Member,
    private,
    state::AppState,
};

/// `section` of `act=history`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HistorySection {
    /// The member watches a video, or stops at a second of it.
    Add,
    /// Forget one.
    Rem,
    /// Forget all.
    Clear,
    /// Write nothing from now on.
    Pause,
    /// Write again.
    Resume,
}

/// `act=history`
///
/// # Errors
/// 422 `required` without the video that `add` and `rem` are about; when the catalog is away. What is paused or not the
/// member's to see is not written, which is no failure.
pub async fn history(
    state: &AppState,
    member: &Member,
    section: HistorySection,
    object_id: Option<i64>,
    stopped_at: Option<u32>,
) -> ApiResult<Response> {
    let mut conn = state.pool.acquire().await?;
    match section {
        HistorySection::Add => {
            let second = stopped_at.map(|second| i32::try_from(second).unwrap_or(i32::MAX));
            history::watched(&mut conn, member.id, required(object_id, "object_id")?, second).await?;
        }
        HistorySection::Rem => history::remove(&mut conn, member.id, required(object_id, "object_id")?).await?,
        HistorySection::Clear => history::clear(&mut conn, member.id).await?,
        HistorySection::Pause => history::pause(&mut conn, member.id).await?,
        HistorySection::Resume => history::resume(&mut conn, member.id).await?,
    }
    Ok(private::done())
}

/// `section` of `act=block`.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockSection {
    /// Block.
    Add,
    /// Let in again.
    Rem,
}

/// `act=block`
///
/// # Errors
/// 404 `member_not_found`, 422 `invalid` for oneself; when the catalog is away.
pub async fn block(state: &AppState, member: &Member, section: BlockSection, object_id: i64) -> ApiResult<Response> {
    if object_id == member.id {
        return Err(ApiError::invalid("object_id"));
    }
    let mut conn = state.pool.acquire().await?;
    match section {
        BlockSection::Add if blocks::add(&mut conn, member.id, object_id).await? => {}
        BlockSection::Add => return Err(ApiError::NotFound("member_not_found")),
        BlockSection::Rem => blocks::remove(&mut conn, member.id, object_id).await?,
    }
    Ok(private::done())
}
