//! `act=comm`, `act=comm_del` and, for a short time after the deletion, `act=comm_undel`.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::comments::{self, CommentOutcome, Text};
use lantern_config::{CommentSection, Config, Section};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::text::TermList;
use lantern_ratelimit::{Action, Attempt, Key, LimitRefusal};
use serde::Deserialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{
    action::{ActAnswer, Acts, blocked, form::Id, not_found, ok_or_not_found},
    text::{TextBounds, checked},
};

/// Adds a comment.
#[derive(Deserialize, ToSchema)]
pub struct NewComment {
    section: CommentSection,
    object_id: Id,
    /// Plain text.
    msg: String,
    /// Id of the comment to reply to. Replies cannot be replied to.
    parent_id: Option<Id>,
}

pub async fn comment(acts: &Acts, member: &Member, form: NewComment) -> ApiResult<ActAnswer> {
    let NewComment { section, object_id, msg, parent_id } = form;
    let id = write(acts, member, section.into(), object_id, &msg, parent_id).await?;
    Ok(ActAnswer { comment_id: Some(id), ..ActAnswer::done() })
}

/// Adds a comment or a wall entry. Both count toward the same limit for the member.
pub async fn write(
    acts: &Acts,
    member: &Member,
    section: Section,
    object: Id,
    msg: &str,
    parent: Option<Id>,
) -> ApiResult<i64> {
    let body = body(&acts.config, &acts.prohibited, msg)?;
    let (acts, author, object, parent) = (acts.clone(), member.id, object.into(), parent.map(i64::from));
    // Writing runs in a separate task. Otherwise, a disconnecting client could leave a slot taken although nothing was written.
    let writing = tokio::spawn(async move {
        let taken = take(&acts, author).await?;
        let text = Text { author, body: &body, parent, same_seconds: acts.config.comments.same_seconds };
        let written = comments::add(&acts.pool, section, object, text).await;
        settle(taken, written, not_found(section)).await
    });
    writing.await.map_err(ApiError::internal)?
}

pub async fn delete(pool: &PgPool, member: &Member, comment: Id) -> ApiResult<ActAnswer> {
    ok_or_not_found(comments::delete(pool, member.id, comment.into()).await?, "comment_not_found")
}

pub async fn restore(pool: &PgPool, config: &Config, member: &Member, comment: Id) -> ApiResult<ActAnswer> {
    let seconds = config.comments.undo_seconds;
    ok_or_not_found(comments::restore(pool, member.id, comment.into(), seconds).await?, "comment_not_found")
}

/// Returns the text, if it is allowed.
fn body(config: &Config, prohibited: &TermList, msg: &str) -> ApiResult<String> {
    let bounds = TextBounds {
        field: "msg",
        min: config.comments.min_length,
        min_code: "comment_min_length",
        max: config.comments.max_length,
        one_line: false,
    };
    checked(Some(msg), bounds, prohibited)
}

/// Takes one of the member's slots.
async fn take(acts: &Acts, author: i64) -> ApiResult<Attempt> {
    acts.limits.take(Action::Comment, &Key::member(author)).await.map_err(|refused| match refused {
        LimitRefusal::Wait(wait) => {
            ApiError::TooManyOf("too_many_comments", wait.0, Some(acts.config.limits.comment.allowance()))
        }
        LimitRefusal::Store(_) => refused.into(),
    })
}

/// Gives the slot back unless a new comment was written.
async fn settle(taken: Attempt, written: lantern_catalog::Result<CommentOutcome>, missing: ApiError) -> ApiResult<i64> {
    if !matches!(written, Ok(CommentOutcome::New(_))) {
        taken.give_back().await?;
    }
    match written? {
        CommentOutcome::New(id) | CommentOutcome::Same(id) => Ok(id),
        CommentOutcome::Missing => Err(missing),
        CommentOutcome::NoParent => Err(ApiError::NotFound("comment_not_found")),
        CommentOutcome::Blocked => Err(blocked()),
    }
}
