//! `act=comm`: `section`, `object_id`, `msg` and, for a reply, `parent_id`. `act=comm_del` and, for a short time after the deletion,
//! `act=comm_undel`: `comment_id`.

use lantern_accounts::viewer::Member;
use lantern_catalog::actions::comments::{self, CommentOutcome, Text};
use lantern_config::{CommentSection, Config, Section};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::text::TermList;
use lantern_ratelimit::{Action, Attempt, Key, LimitRefusal};
use sqlx::PgPool;

use crate::{
    action::{
        ActAnswer, Acts, blocked,
        form::{StatForm, id},
        not_found, ok_or_not_found,
    },
    text::{TextBounds, checked},
};

pub async fn comment(acts: &Acts, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let section = form.section::<CommentSection>()?;
    Ok(ActAnswer { comment_id: Some(write(acts, member, form, section.into()).await?), ..ActAnswer::done() })
}

/// Adds a comment or a wall entry. Both count toward the same limit for the member.
pub async fn write(acts: &Acts, member: &Member, form: &StatForm, section: Section) -> ApiResult<i64> {
    let object = form.object()?;
    let body = body(&acts.config, &acts.prohibited, form)?;
    let (acts, author, parent) = (acts.clone(), member.id, form.parent_id.map(i64::from));
    // Writing runs in a separate task. Otherwise, a disconnecting client could leave a slot taken although nothing was written.
    let writing = tokio::spawn(async move {
        let taken = take(&acts, author).await?;
        let text = Text { author, body: &body, parent, same_seconds: acts.config.comments.same_seconds };
        let written = comments::add(&acts.pool, section, object, text).await;
        settle(taken, written, not_found(section)).await
    });
    writing.await.map_err(ApiError::internal)?
}

pub async fn delete(pool: &PgPool, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let comment = id("comment_id", form.comment_id)?;
    ok_or_not_found(comments::delete(pool, member.id, comment).await?, "comment_not_found")
}

pub async fn restore(pool: &PgPool, config: &Config, member: &Member, form: &StatForm) -> ApiResult<ActAnswer> {
    let (comment, seconds) = (id("comment_id", form.comment_id)?, config.comments.undo_seconds);
    ok_or_not_found(comments::restore(pool, member.id, comment, seconds).await?, "comment_not_found")
}

/// Returns the text, if it is allowed.
fn body(config: &Config, prohibited: &TermList, form: &StatForm) -> ApiResult<String> {
    let bounds = TextBounds {
        field: "msg",
        min: config.comments.min_length,
        min_code: "comment_min_length",
        max: config.comments.max_length,
        one_line: false,
    };
    checked(form.msg.as_deref(), bounds, prohibited)
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
