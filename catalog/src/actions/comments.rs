//! Comments and wall entries.

use lantern_config::Section;
use sqlx::{PgConnection, PgPool};

use super::{is_visible, lock_member};
use crate::{Result, blocks};

/// Outcome of posting a comment or wall entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentOutcome {
    /// It was created with this id.
    New(i64),
    /// The member posted the same text moments ago (a double click), under this id.
    Same(i64),
    /// The target doesn't exist for this member.
    Missing,
    /// The parent is gone, or is itself a reply.
    NoParent,
    /// The target's owner has blocked this member.
    Blocked,
}

/// A comment or wall entry to post.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// Id of the author.
    pub author: i64,
    /// Plain text, 5 to 1500 characters.
    pub body: &'a str,
    /// Comment being replied to.
    pub parent: Option<i64>,
    /// Seconds within which an identical text counts as a duplicate.
    pub same_seconds: u32,
}

/// Posts a comment on an object, or an entry on a member's wall.
pub async fn add(pool: &PgPool, section: Section, object: i64, text: Text<'_>) -> Result<CommentOutcome> {
    let mut tx = pool.begin().await?;
    if !lock_member(&mut tx, text.author).await? || !is_visible(&mut tx, section, object, Some(text.author)).await? {
        return Ok(CommentOutcome::Missing);
    }
    if !accepts_replies(&mut tx, section, object, text.parent).await? {
        return Ok(CommentOutcome::NoParent);
    }
    if let Some(id) = find_duplicate(&mut tx, section, object, text).await? {
        return Ok(CommentOutcome::Same(id));
    }
    match insert(&mut tx, section, object, text).await {
        Ok(id) => {
            tx.commit().await?;
            Ok(CommentOutcome::New(id))
        }
        Err(error) if error.constraint() == Some(blocks::REFUSED) => Ok(CommentOutcome::Blocked),
        Err(error) => Err(error),
    }
}

/// Returns the member's identical recent text, if any.
async fn find_duplicate(conn: &mut PgConnection, section: Section, object: i64, text: Text<'_>) -> Result<Option<i64>> {
    let seconds = f64::from(text.same_seconds);
    let query = match section {
        Section::User => sqlx::query_scalar!(
            "select id from walls where author_id = $1 and user_id = $2 and body = $3 and deleted_at is null
            and created_at > now() - make_interval(secs => $4) and parent_id is not distinct from $5 limit 1",
            text.author,
            object,
            text.body,
            seconds,
            text.parent
        ),
        _ => sqlx::query_scalar!(
            "select id from comments where user_id = $1 and section = $2 and object_id = $3 and body = $4 and deleted_at is null
            and created_at > now() - make_interval(secs => $5) and parent_id is not distinct from $6 limit 1",
            text.author,
            section.as_str(),
            object,
            text.body,
            seconds,
            text.parent
        ),
    };
    Ok(query.fetch_optional(conn).await?)
}

async fn insert(conn: &mut PgConnection, section: Section, object: i64, text: Text<'_>) -> Result<i64> {
    let query = match section {
        Section::User => sqlx::query_scalar!(
            "insert into walls (user_id, author_id, body, parent_id) values ($1, $2, $3, $4) returning id",
            object,
            text.author,
            text.body,
            text.parent
        ),
        _ => sqlx::query_scalar!(
            "insert into comments (section, object_id, user_id, body, parent_id) values ($1, $2, $3, $4, $5) returning id",
            section.as_str(),
            object,
            text.author,
            text.body,
            text.parent
        ),
    };
    Ok(query.fetch_one(conn).await?)
}

/// Deletes a comment on behalf of its author or of the commented object's owner. The call is idempotent. Returns
/// whether the member may delete such a comment. A comment that was hidden by reports, or deleted by both author and
/// owner, can't be restored, because that would overrule someone else.
pub async fn delete(pool: &PgPool, member: i64, comment: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"with gone as (
             update comments c set deleted_at = coalesce(c.deleted_at, now()),
                                   deleted_by = case when c.deleted_at is null or c.deleted_by = $2 then $2 end
             where c.id = $1 and (c.user_id = $2
                or c.section = 'video' and exists (select from videos where id = c.object_id and user_id = $2)
                or c.section = 'album' and exists (select from albums where id = c.object_id and user_id = $2)
                or c.section = 'playlist' and exists (select from playlists where id = c.object_id and user_id = $2)
                or c.section = 'user' and c.object_id = $2)
             returning c.id
         ), for_good as (
             delete from report_hides h using gone where h.section = 'comment' and h.object_id = gone.id
         )
         select id as "id!" from gone"#,
        comment,
        member
    );
    let done = query.fetch_optional(pool).await?;
    Ok(done.is_some())
}

/// Restores a comment that this member deleted within the last `seconds`. Returns whether there was one.
pub async fn restore(pool: &PgPool, member: i64, comment: i64, seconds: u32) -> Result<bool> {
    let query = sqlx::query!(
        "update comments set deleted_at = null, deleted_by = null
         where id = $1 and deleted_by = $2 and deleted_at > now() - make_interval(secs => $3)",
        comment,
        member,
        f64::from(seconds)
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// Deletes a wall entry on behalf of its author or of the wall's owner. The call is idempotent. Returns whether the
/// member may delete such an entry. An entry that was hidden by reports, or deleted by both, can't be restored.
pub async fn delete_from_wall(pool: &PgPool, member: i64, entry: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"with gone as (
             update walls set deleted_at = coalesce(deleted_at, now()),
                              deleted_by = case when deleted_at is null or deleted_by = $2 then $2 end
             where id = $1 and $2 in (user_id, author_id) returning id
         ), for_good as (
             delete from report_hides h using gone where h.section = 'wall' and h.object_id = gone.id
         )
         select id as "id!" from gone"#,
        entry,
        member
    );
    let done = query.fetch_optional(pool).await?;
    Ok(done.is_some())
}

/// Restores a wall entry that this member deleted within the last `seconds`. Returns whether there was one.
pub async fn restore_on_wall(pool: &PgPool, member: i64, entry: i64, seconds: u32) -> Result<bool> {
    let query = sqlx::query!(
        "update walls set deleted_at = null, deleted_by = null
         where id = $1 and deleted_by = $2 and deleted_at > now() - make_interval(secs => $3)",
        entry,
        member,
        f64::from(seconds)
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// Returns whether `parent` accepts replies. It must be visible and must not itself be a reply.
async fn accepts_replies(conn: &mut PgConnection, section: Section, object: i64, parent: Option<i64>) -> Result<bool> {
    let Some(parent) = parent else { return Ok(true) };
    let query = sqlx::query_scalar!(
        r#"select exists (select from remarks where section = $1 and object_id = $2 and id = $3 and parent_id is null) as "e!""#,
        section.as_str(),
        object,
        parent
    );
    Ok(query.fetch_one(conn).await?)
}
