//! `act=wall`: `object_id` is a member, `msg` and, for a reply, `parent_id`; `act=wall_del` and `act=wall_undel`: `wall_id`. The rules of comments hold.

use lantern_catalog::actions::comments::{self, Text};
use sqlx::PgPool;

use super::write::{body, settle, take, to_the_end};
use crate::{
    action::{
        Acted,
        form::{StatForm, id},
    },
    http::{
        error::{ApiError, ApiResult},
        extract::Member,
    },
    state::AppState,
};

pub async fn wall(state: &AppState, member: &Member, form: &StatForm) -> ApiResult<Acted> {
    let wall_of = form.object()?;
    let body = body(&state.config, &state.prohibited, form)?;
    let (state, author, parent) = (state.clone(), member.id, form.parent_id.map(i64::from));
    let write = async move {
        let taken = take(&state.limits, author).await?;
        let text = Text { author, body: &body, parent, same_seconds: state.config.comments.same_seconds };
        let written = comments::add_to_wall(&state.pool, wall_of, text).await;
        settle(taken, written, ApiError::NotFound("member_not_found")).await
    };
    Ok(Acted { wall_id: Some(to_the_end(write).await?), ..Acted::done() })
}

pub async fn delete(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<Acted> {
    let entry = id("wall_id", form.wall_id)?;
    if comments::delete_from_wall(pool, member.id, entry).await? {
        Ok(Acted::done())
    } else {
        Err(ApiError::NotFound("comment_not_found"))
    }
}

pub async fn restore(state: &AppState, member: &Member, form: &StatForm) -> ApiResult<Acted> {
    let (entry, seconds) = (id("wall_id", form.wall_id)?, state.config.comments.undo_seconds);
    if comments::restore_on_wall(&state.pool, member.id, entry, seconds).await? {
        Ok(Acted::done())
    } else {
        Err(ApiError::NotFound("comment_not_found"))
    }
}
