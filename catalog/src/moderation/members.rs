//! Bans of members, and how bans are lifted.

use serde_json::json;
use sqlx::PgPool;

use super::{
    Actor,
    record::{self, RecordEntry},
};
use crate::{Result, names::NameKey};

/// Effect of a ban.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BanOutcome {
    /// Id of the member.
    pub user_id: i64,
    /// Number of ended sessions.
    pub sessions: u64,
    /// Number of uploads that now await a decision, not counting those scheduled to come back.
    pub uploads: u64,
}

/// Bans a member by username. This ends all sessions and unlists the member's content. With `uploads`, the member's
/// videos and albums also await a decision. Returns `None` if there is no such member or the member is already banned.
pub async fn ban(
    pool: &PgPool,
    actor: &Actor<'_>,
    username: &str,
    reason: &str,
    uploads: bool,
) -> Result<Option<BanOutcome>> {
    let (mut tx, name) = (pool.begin().await?, NameKey::of(username));
    // The sessions are deleted before the ban, because the trigger on `users` would delete them without counting them.
    let sessions = sqlx::query!(
        "delete from sessions using users
         where sessions.user_id = users.id and name_key(users.username) = $1 and users.status_id <> banned()",
        name.as_str()
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    let query = sqlx::query_scalar!(
        "with former as (select id, status_id from users where name_key(username) = $1 and status_id <> banned() for update),
              noted as (insert into bans (user_id, reason, status_before) select id, $2, status_id from former)
         update users set status_id = banned() from former where users.id = former.id returning users.id",
        name.as_str(),
        reason
    );
    let banned = query.fetch_optional(&mut *tx).await?;
    let Some(user_id) = banned else { return Ok(None) };
    let mut waiting = 0;
    if uploads {
        let videos = sqlx::query!(
            "update videos set status_id = in_review() where user_id = $1 and status_id in (published(), scheduled())",
            user_id
        )
        .execute(&mut *tx)
        .await?;
        let albums = sqlx::query!(
            "update albums set status_id = in_review() where user_id = $1 and status_id = published()",
            user_id
        )
        .execute(&mut *tx)
        .await?;
        // Uploads that are scheduled to come back will then await a decision.
        sqlx::query!(
            "update videos set restore_status_id = in_review() where user_id = $1
             and restore_status_id in (published(), scheduled())",
            user_id
        )
        .execute(&mut *tx)
        .await?;
        waiting = videos.rows_affected() + albums.rows_affected();
    }
    let details = json!({ "reason": reason, "uploads": waiting });
    record::add(&mut tx, actor, RecordEntry { act: "ban", object: Some(("user", user_id)), details }).await?;
    tx.commit().await?;
    Ok(Some(BanOutcome { user_id, sessions, uploads: waiting }))
}

/// Lifts a ban. Returns `false` if there is none.
pub async fn unban(pool: &PgPool, actor: &Actor<'_>, username: &str) -> Result<bool> {
    let (mut tx, name) = (pool.begin().await?, NameKey::of(username));
    let query = sqlx::query_scalar!(
        "with former as (select id from users where name_key(username) = $1 and status_id = banned() for update),
              lifted as (update bans set lifted_at = now() from former
                         where bans.user_id = former.id and bans.lifted_at is null returning bans.user_id, bans.status_before)
         update users set status_id = coalesce((select status_before from lifted), ordinary()) from former where users.id = former.id
         returning users.id",
        name.as_str()
    );
    let Some(user_id) = query.fetch_optional(&mut *tx).await? else { return Ok(false) };
    record::add(&mut tx, actor, RecordEntry { act: "unban", object: Some(("user", user_id)), details: json!({}) })
        .await?;
    tx.commit().await?;
    Ok(true)
}
