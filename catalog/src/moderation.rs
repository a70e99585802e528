//! What operators decide about uploads and members.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{Result, names::NameKey};

/// An upload that waits for a decision.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos and albums, documented in the migrations")]
pub struct Pending {
    /// `video` or `album`.
    pub section: String,
    pub id: i64,
    pub title: String,
    pub username: Option<String>,
    pub created_at: OffsetDateTime,
    /// Reports of it that wait.
    pub reports: i64,
}

/// Uploads that wait, oldest first.
pub async fn pending(pool: &PgPool, limit: i64) -> Result<Vec<Pending>> {
    let query = sqlx::query_as!(
        Pending,
        r#"select o.section as "section!", o.id as "id!", o.title as "title!", u.username as "username?",
                  o.created_at as "created_at!",
                  (select count(*) from reports r where r.section = o.section and r.object_id = o.id
                      and r.state in ('open', 'in_review')) as "reports!"
           from (select 'video' as section, id, title, user_id, created_at from videos where status_id = 2
                 union all select 'album', id, title, user_id, created_at from albums where status_id = 2) o
                left join users u on u.id = o.user_id
           order by o.created_at, o.section, o.id limit $1"#,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}

/// Decides on a waiting upload: it is shown, or rejected. False when no such one waits.
pub async fn decide(pool: &PgPool, section: &str, id: i64, approve: bool) -> Result<bool> {
    let status: i16 = if approve { 1 } else { 4 };
    let query = match section {
        // One that nobody saw before is of this day, however long it waited.
        "video" => sqlx::query!(
            "with first as (update uploads set published_at = now()
                            where video_id = $1 and published_at is null and $2::smallint = 1
                              and exists (select from videos where id = $1 and status_id = 2) returning id)
             update videos set status_id = $2, post_date = case when exists (select from first) then now() else post_date end
             where id = $1 and status_id = 2",
            id,
            status
        ),
        "album" => sqlx::query!("update albums set status_id = $2 where id = $1 and status_id = 2", id, status),
        _ => return Ok(false),
    };
    let decided = query.execute(pool).await?.rows_affected() == 1;
    if decided {
        // The decision stands, whatever hid it before.
        sqlx::query!("delete from report_hides where section = $1 and object_id = $2", section, id)
            .execute(pool)
            .await?;
    }
    Ok(decided)
}

/// What a ban did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Banned {
    /// The member.
    pub user_id: i64,
    /// Sessions that ended.
    pub sessions: u64,
    /// Uploads that wait for a decision now, without those that come back another day.
    pub uploads: u64,
}

/// Bans a member by name: every session ends, and what the member shows and wrote is not listed any more. With `uploads` the
/// member's videos and albums wait for a decision too. `None` when there is no such member, or the ban exists.
pub async fn ban(pool: &PgPool, username: &str, reason: &str, uploads: bool) -> Result<Option<Banned>> {
    let (mut tx, name) = (pool.begin().await?, NameKey::of(username));
    // Before the ban: the members' own trigger would end them uncounted.
    let sessions = sqlx::query!(
        "delete from sessions using users
         where sessions.user_id = users.id and name_key(users.username) = $1 and users.status_id <> 5",
        name.as_str()
    )
    .execute(&mut *tx)
    .await?
    .rows_affected();
    let query = sqlx::query_scalar!(
        "with former as (select id, status_id from users where name_key(username) = $1 and status_id <> 5 for update),
              noted as (insert into bans (user_id, reason, status_before) select id, $2, status_id from former)
         update users set status_id = 5 from former where users.id = former.id returning users.id",
        name.as_str(),
        reason
    );
    let banned = query.fetch_optional(&mut *tx).await?;
    let Some(user_id) = banned else { return Ok(None) };
    let mut waiting = 0;
    if uploads {
        let videos = sqlx::query!("update videos set status_id = 2 where user_id = $1 and status_id = 1", user_id)
            .execute(&mut *tx)
            .await?;
        let albums = sqlx::query!("update albums set status_id = 2 where user_id = $1 and status_id = 1", user_id)
            .execute(&mut *tx)
            .await?;
        // What is to come back one day waits then.
        sqlx::query!("update videos set restore_status_id = 2 where user_id = $1 and restore_status_id = 1", user_id)
            .execute(&mut *tx)
            .await?;
        waiting = videos.rows_affected() + albums.rows_affected();
    }
    tx.commit().await?;
    Ok(Some(Banned { user_id, sessions, uploads: waiting }))
}

/// Lifts a ban; false when there is none.
pub async fn unban(pool: &PgPool, username: &str) -> Result<bool> {
    let name = NameKey::of(username);
    let query = sqlx::query!(
        "with former as (select id from users where name_key(username) = $1 and status_id = 5 for update),
              lifted as (update bans set lifted_at = now() from former
                         where bans.user_id = former.id and bans.lifted_at is null returning bans.user_id, bans.status_before)
         update users set status_id = coalesce((select status_before from lifted), 1) from former where users.id = former.id",
        name.as_str()
    );
    Ok(query.execute(pool).await?.rows_affected() == 1)
}
