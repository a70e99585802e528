//! Moderators: members who may decide after they have passed a second sign-in factor.

use serde_json::json;
use sqlx::PgPool;
use time::OffsetDateTime;

use super::{
    Actor,
    record::{self, RecordEntry},
};
use crate::{Result, names::NameKey};

/// Returns the name of the place where a moderator's secret is stored. The encrypted secret can be decrypted only for
/// this place.
#[must_use]
pub fn place(user_id: i64) -> String {
    format!("staff {user_id}")
}

/// Makes a member a moderator, or replaces a moderator's secret. The secret is encrypted for [`place`]. Sessions must
/// repeat the second factor, and all remembered browsers are forgotten.
pub async fn grant(pool: &PgPool, actor: &Actor<'_>, user_id: i64, sealed_secret: &[u8]) -> Result<()> {
    let mut transaction = pool.begin().await?;
    sqlx::query!(
        "insert into staff (user_id, totp_secret) values ($1, $2)
         on conflict (user_id) do update set totp_secret = $2, totp_step = 0",
        user_id,
        sealed_secret
    )
    .execute(&mut *transaction)
    .await?;
    sqlx::query!("update sessions set staff_until = null where user_id = $1", user_id)
        .execute(&mut *transaction)
        .await?;
    sqlx::query!("delete from staff_devices where user_id = $1", user_id).execute(&mut *transaction).await?;
    record::add(
        &mut transaction,
        actor,
        RecordEntry { act: "grant", object: Some(("user", user_id)), details: json!({}) },
    )
    .await?;
    Ok(transaction.commit().await?)
}

/// Revokes a moderator's rights. Returns `false` if the member has none.
pub async fn revoke(pool: &PgPool, actor: &Actor<'_>, user_id: i64) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let gone =
        sqlx::query!("delete from staff where user_id = $1", user_id).execute(&mut *transaction).await?.rows_affected();
    if gone == 0 {
        return Ok(false);
    }
    record::add(
        &mut transaction,
        actor,
        RecordEntry { act: "revoke", object: Some(("user", user_id)), details: json!({}) },
    )
    .await?;
    transaction.commit().await?;
    Ok(true)
}

/// Finds a member who isn't banned by the username as typed. Returns the member's id and username.
pub async fn member(pool: &PgPool, username: &str) -> Result<Option<(i64, String)>> {
    let name = NameKey::of(username);
    let query = sqlx::query!(
        "select id, username from users where name_key(username) = $1 and status_id <> banned()",
        name.as_str()
    );
    Ok(query.fetch_optional(pool).await?.map(|row| (row.id, row.username)))
}

/// A moderator, as listed.
#[derive(Debug, Clone)]
pub struct Moderator {
    /// Username of the moderator.
    pub username: String,
    /// When the rights were granted.
    pub granted_at: OffsetDateTime,
    /// Whether the moderator has ever passed the second factor.
    pub has_signed_in: bool,
}

/// Lists all moderators by username.
pub async fn list(pool: &PgPool) -> Result<Vec<Moderator>> {
    let query = sqlx::query_as!(
        Moderator,
        r#"select u.username, s.granted_at, s.totp_step > 0 as "has_signed_in!"
           from staff s join users u on u.id = s.user_id order by u.username"#
    );
    Ok(query.fetch_all(pool).await?)
}

/// A session's rights to moderate.
#[derive(Debug, Clone)]
pub struct Rights {
    /// Encrypted secret of the moderator's one-time passwords.
    pub totp_secret: Vec<u8>,
    /// Until when the session may decide. `None` before the second factor has been passed.
    pub until: Option<OffsetDateTime>,
}

/// Returns a session's rights, or `None` if its member isn't a moderator.
pub async fn rights(pool: &PgPool, session_id: i64) -> Result<Option<Rights>> {
    let query = sqlx::query_as!(
        Rights,
        "select s.totp_secret, e.staff_until as until from sessions e join staff s on s.user_id = e.user_id where e.id = $1",
        session_id
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Returns whether a session may decide at `now`.
pub async fn may_decide(pool: &PgPool, session_id: i64, now: OffsetDateTime) -> Result<bool> {
    Ok(rights(pool, session_id).await?.is_some_and(|rights| rights.until.is_some_and(|until| until > now)))
}

/// Allows a session to decide until `until`, after the one-time password for the time step `totp_step` was entered.
/// Resets the session's count of serious decisions. Returns `false` if this password or a later one was already used.
pub async fn step_up(pool: &PgPool, session_id: i64, totp_step: i64, until: OffsetDateTime) -> Result<bool> {
    let query = sqlx::query!(
        "with used as (update staff s set totp_step = $2 from sessions e
                       where e.id = $1 and s.user_id = e.user_id and s.totp_step < $2 returning e.id)
         update sessions set staff_until = $3, grave_decisions = 0 from used where sessions.id = used.id",
        session_id,
        totp_step,
        until
    );
    Ok(query.execute(pool).await?.rows_affected() == 1)
}

/// Counts a serious decision made in a session. Returns `false`, without counting it, if the session has made `most` of
/// them since its last one-time password.
pub async fn count_grave(pool: &PgPool, session_id: i64, most: u32) -> Result<bool> {
    let query = sqlx::query!(
        "update sessions set grave_decisions = grave_decisions + 1 where id = $1 and grave_decisions < $2",
        session_id,
        i32::try_from(most).unwrap_or(i32::MAX)
    );
    Ok(query.execute(pool).await?.rows_affected() == 1)
}

/// Returns whether a moderator has passed the second factor in this browser since `since`.
pub async fn knows_device(pool: &PgPool, user_id: i64, token_hash: &[u8; 32], since: OffsetDateTime) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from staff_devices where token_hash = $1 and user_id = $2 and used_at > $3) as "k!""#,
        token_hash.as_slice(),
        user_id,
        since
    );
    Ok(query.fetch_one(pool).await?)
}

/// Remembers a browser and forgets all but the moderator's `most` recently used ones.
pub async fn remember_device(
    pool: &PgPool,
    user_id: i64,
    token_hash: &[u8; 32],
    now: OffsetDateTime,
    most: u32,
) -> Result<()> {
    let mut transaction = pool.begin().await?;
    sqlx::query!(
        "insert into staff_devices (token_hash, user_id, used_at) values ($1, $2, $3)
         on conflict (token_hash) do update set used_at = $3 where staff_devices.user_id = $2",
        token_hash.as_slice(),
        user_id,
        now
    )
    .execute(&mut *transaction)
    .await?;
    sqlx::query!(
        "delete from staff_devices where token_hash in
         (select token_hash from staff_devices where user_id = $1 order by used_at desc, token_hash offset $2)",
        user_id,
        i64::from(most)
    )
    .execute(&mut *transaction)
    .await?;
    Ok(transaction.commit().await?)
}
