//! Mutes: categories, models, members and watched videos that a member excludes from lists.

use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::{Result, actions::lock_member, run};

/// Object to mute, identified as in addresses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MuteTarget {
    /// A category, by dir.
    Category(String),
    /// A model, by dir.
    Model(String),
    /// A member, by id.
    Member(i64),
}

impl MuteTarget {
    const fn section(&self) -> &'static str {
        match self {
            Self::Category(_) => "category",
            Self::Model(_) => "model",
            Self::Member(_) => "user",
        }
    }
}

/// Outcome of muting an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Muting {
    /// The object is muted now, or already was.
    Done,
    /// There is no such object, or the member tried to mute themselves.
    Missing,
    /// The member has reached the limit for this kind.
    TooMany,
}

/// A muted member, as shown in lists.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of users, documented in the migrations")]
pub struct MutedMember {
    pub id: i64,
    pub username: String,
}

/// A member's mutes, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mutes {
    /// Whether watched videos are muted.
    pub watched: bool,
    /// Dirs of the muted categories.
    pub categories: Vec<String>,
    /// Dirs of the muted models.
    pub models: Vec<String>,
    /// The muted members.
    pub members: Vec<MutedMember>,
}

/// Mutes an object, up to `most` of its kind. The call is idempotent.
pub async fn add(pool: &PgPool, user_id: i64, muted: &MuteTarget, most: i64) -> Result<Muting> {
    let mut tx = pool.begin().await?;
    if !lock_member(&mut tx, user_id).await? {
        return Ok(Muting::Missing);
    }
    let Some(id) = id_of(&mut tx, muted).await?.filter(|id| *muted != MuteTarget::Member(user_id) && *id > 0) else {
        return Ok(Muting::Missing);
    };
    let query = sqlx::query!(
        "insert into mutes (user_id, section, object_id)
         select $1, $2, $3 where (select count(*) from mutes where user_id = $1 and section = $2) < $4
             or exists (select from mutes where user_id = $1 and section = $2 and object_id = $3)
         on conflict (user_id, section, object_id) do update set created_at = mutes.created_at",
        user_id,
        muted.section(),
        id,
        most
    );
    let done = query.execute(&mut *tx).await?.rows_affected() > 0;
    tx.commit().await?;
    Ok(if done { Muting::Done } else { Muting::TooMany })
}

async fn id_of(conn: &mut PgConnection, muted: &MuteTarget) -> Result<Option<i64>> {
    let query = match muted {
        MuteTarget::Category(dir) => {
            sqlx::query_scalar!("select id from categories where dir = $1", dir).fetch_optional(conn).await?
        }
        MuteTarget::Model(dir) => {
            sqlx::query_scalar!("select id from models where dir = $1", dir).fetch_optional(conn).await?
        }
        MuteTarget::Member(id) => {
            let query = sqlx::query_scalar!("select id from users where id = $1 and is_active(users)", id);
            query.fetch_optional(conn).await?
        }
    };
    Ok(query)
}

/// Unmutes an object. Does nothing if it isn't muted.
pub async fn remove(conn: &mut PgConnection, user_id: i64, muted: &MuteTarget) -> Result<()> {
    // The row is found by id, even if the muted member is gone or banned.
    let id = match muted {
        MuteTarget::Member(id) => Some(*id),
        named => id_of(conn, named).await?,
    };
    let query = sqlx::query!(
        "delete from mutes where user_id = $1 and section = $2 and object_id = $3",
        user_id,
        muted.section(),
        id
    );
    run(query, conn).await
}

/// Unmutes everything, including watched videos.
pub async fn clear(conn: &mut PgConnection, user_id: i64) -> Result<()> {
    let query = sqlx::query!(
        "with watched as (delete from watched_mutes where user_id = $1) delete from mutes where user_id = $1",
        user_id
    );
    run(query, conn).await
}

/// Mutes or unmutes the videos in the member's history.
pub async fn mute_watched(conn: &mut PgConnection, user_id: i64, muted: bool) -> Result<()> {
    if muted {
        run(sqlx::query!("insert into watched_mutes (user_id) values ($1) on conflict do nothing", user_id), conn).await
    } else {
        run(sqlx::query!("delete from watched_mutes where user_id = $1", user_id), conn).await
    }
}

/// Lists all objects that a member has muted and that still exist.
pub async fn list(pool: &PgPool, user_id: i64) -> Result<Mutes> {
    let watched =
        sqlx::query_scalar!(r#"select exists (select from watched_mutes where user_id = $1) as "e!""#, user_id);
    let categories = sqlx::query_scalar!(
        "select c.dir from mutes m join categories c on c.id = m.object_id
         where m.user_id = $1 and m.section = 'category' order by m.created_at desc, c.id desc",
        user_id
    );
    let models = sqlx::query_scalar!(
        "select o.dir from mutes m join models o on o.id = m.object_id
         where m.user_id = $1 and m.section = 'model' order by m.created_at desc, o.id desc",
        user_id
    );
    let members = sqlx::query_as!(
        MutedMember,
        "select u.id, u.username from mutes m join users u on u.id = m.object_id
         where m.user_id = $1 and m.section = 'user' order by m.created_at desc, u.id desc",
        user_id
    );
    Ok(Mutes {
        watched: watched.fetch_one(pool).await?,
        categories: categories.fetch_all(pool).await?,
        models: models.fetch_all(pool).await?,
        members: members.fetch_all(pool).await?,
    })
}

/// Lists the `most` recently watched videos of a member.
pub async fn watched(executor: impl PgExecutor<'_>, user_id: i64, most: i64) -> Result<Vec<i64>> {
    let query = sqlx::query_scalar!(
        "select video_id from history where user_id = $1 order by watched_at desc, video_id desc limit $2",
        user_id,
        most
    );
    Ok(query.fetch_all(executor).await?)
}
