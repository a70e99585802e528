//! `act=comm_like`: `section=add|rem`, `comment_id`; `act=wall_like`: `section=add|rem`, `wall_id`.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::likes::{self, Like, LikeTarget};
use lantern_errors::{ApiError, ApiResult};
use sqlx::PgPool;

use crate::action::{
    ActAnswer, blocked,
    form::{StatForm, Toggle, id},
};

pub async fn comment(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    like(pool, member, form, LikeTarget::Comment(id("comment_id", form.comment_id)?)).await
}

pub async fn entry(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    like(pool, member, form, LikeTarget::Entry(id("wall_id", form.wall_id)?)).await
}

async fn like(pool: &PgPool, member: &Member, form: &StatForm, what: LikeTarget) -> ApiResult<ActAnswer> {
    let like = match form.section()? {
        Toggle::Add => likes::add(pool, member.id, what).await?,
        Toggle::Rem => likes::remove(pool, member.id, what).await?,
    };
    match like {
        Like::Counted(likes) => Ok(ActAnswer { likes: Some(likes), ..ActAnswer::done() }),
        Like::Missing => Err(ApiError::NotFound("comment_not_found")),
        Like::Blocked => Err(blocked()),
    }
}
