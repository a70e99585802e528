//! `act=wall`: `object_id` is a member, and the other fields are `msg` and, for a reply, `parent_id`. `act=wall_del` and
//! `act=wall_undel`: `wall_id`. The rules for comments apply.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::comments;
use lantern_config::{Config, Section};
use lantern_errors::ApiResult;
use sqlx::PgPool;

use super::write::write;
use crate::action::{
    ActAnswer, Acts,
    form::{StatForm, id},
    ok_or_not_found,
};

pub async fn wall(acts: &Acts, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    Ok(ActAnswer { wall_id: Some(write(acts, member, form, Section::User).await?), ..ActAnswer::done() })
}

pub async fn delete(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let entry = id("wall_id", form.wall_id)?;
    ok_or_not_found(comments::delete_from_wall(pool, member.id, entry).await?, "comment_not_found")
}

pub async fn restore(pool: &PgPool, config: &Config, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let (entry, seconds) = (id("wall_id", form.wall_id)?, config.comments.undo_seconds);
    ok_or_not_found(comments::restore_on_wall(pool, member.id, entry, seconds).await?, "comment_not_found")
}
