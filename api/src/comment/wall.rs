//! `act=wall`, `act=wall_del` and `act=wall_undel`. The rules for comments apply.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::comments;
use lantern_config::{Config, Section};
use lantern_errors::ApiResult;
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::write::write;
use crate::action::{ActAnswer, Acts, form::Id, ok_or_not_found};

/// Adds an entry to the wall of a member.
#[derive(Deserialize, ToSchema)]
pub struct NewEntry {
    object_id: Id,
    /// Plain text.
    msg: String,
    /// Id of the entry to reply to. Replies cannot be replied to.
    parent_id: Option<Id>,
}

pub async fn wall(acts: &Acts, member: &Member, form: NewEntry) -> ApiResult<ActAnswer> {
    let NewEntry { object_id, msg, parent_id } = form;
    let id = write(acts, member, Section::User, object_id, &msg, parent_id).await?;
    Ok(ActAnswer { wall_id: Some(id), ..ActAnswer::done() })
}

pub async fn delete(pool: &PgPool, member: &Member, entry: Id) -> ApiResult<ActAnswer> {
    ok_or_not_found(comments::delete_from_wall(pool, member.id, entry.into()).await?, "comment_not_found")
}

pub async fn restore(pool: &PgPool, config: &Config, member: &Member, entry: Id) -> ApiResult<ActAnswer> {
    let seconds = config.comments.undo_seconds;
    ok_or_not_found(comments::restore_on_wall(pool, member.id, entry.into(), seconds).await?, "comment_not_found")
}
