//! `act=comm_like` and `act=wall_like`.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::likes::{self, Like, LikeTarget};
use lantern_errors::{ApiError, ApiResult};
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::action::{
    ActAnswer, blocked,
    form::{Id, Toggle},
};

/// Likes a comment, once per member, or withdraws the like.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct CommentLike {
    section: Toggle,
    comment_id: Id,
}

/// Likes a wall entry, once per member, or withdraws the like.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub struct EntryLike {
    section: Toggle,
    wall_id: Id,
}

pub async fn comment(pool: &PgPool, member: &Member, form: CommentLike) -> ApiResult<ActAnswer> {
    like(pool, member, form.section, LikeTarget::Comment(form.comment_id.into())).await
}

pub async fn entry(pool: &PgPool, member: &Member, form: EntryLike) -> ApiResult<ActAnswer> {
    like(pool, member, form.section, LikeTarget::Entry(form.wall_id.into())).await
}

async fn like(pool: &PgPool, member: &Member, change: Toggle, what: LikeTarget) -> ApiResult<ActAnswer> {
    let like = match change {
        Toggle::Add => likes::add(pool, member.id, what).await?,
        Toggle::Rem => likes::remove(pool, member.id, what).await?,
    };
    match like {
        Like::Counted(likes) => Ok(ActAnswer { likes: Some(likes), ..ActAnswer::done() }),
        Like::Missing => Err(ApiError::NotFound("comment_not_found")),
        Like::Blocked => Err(blocked()),
    }
}
