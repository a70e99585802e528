//! Notifications of members. Triggers in `migrations/0047_talk.sql` write them, and this module lists them, marks them
//! as read and removes old ones.

use lantern_config::{Lang, Notifications};
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{
    Result,
    community::{Page, Window, page},
    run,
};

/// A notification of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of notifications, documented in the migrations")]
pub struct Notification {
    pub id: i64,
    pub kind: String,
    pub section: String,
    pub object_id: i64,
    /// Title of the object.
    pub title: Option<String>,
    /// Path segment of a video, an album or a model.
    pub dir: Option<String>,
    pub actor_id: Option<i64>,
    pub username: Option<String>,
    pub avatar_key: Option<String>,
    pub times: i32,
    pub happened_at: OffsetDateTime,
    pub is_read: bool,
}

/// Lists a page of notifications, newest first. Models are named in `lang`.
pub async fn list(pool: &PgPool, user_id: i64, window: Window, lang: Lang) -> Result<Page<Notification>> {
    let items = sqlx::query_as!(
        Notification,
        r#"select n.id as "id!", n.kind as "kind!", n.section as "section!", n.object_id as "object_id!",
                  case n.section
                      when 'video' then (select title from videos where id = n.object_id)
                      when 'album' then (select title from albums where id = n.object_id)
                      when 'model' then (select model_title(m, $4) from models m where m.id = n.object_id)
                      when 'playlist' then (select title from playlists where id = n.object_id)
                      when 'user' then (select username from users where id = n.object_id)
                      when 'upload' then (select file_name from uploads where id = n.object_id) end as title,
                  case n.section
                      when 'video' then (select dir from videos where id = n.object_id)
                      when 'album' then (select dir from albums where id = n.object_id)
                      when 'model' then (select dir from models where id = n.object_id) end as dir,
                  n.actor_id, n.username as "username?", n.avatar_key, n.times as "times!", n.happened_at as "happened_at!",
                  (n.read_at is not null) as "is_read!"
           from shown_notifications n where n.user_id = $1 order by n.happened_at desc, n.id desc limit $2 offset $3"#,
        user_id,
        window.limit,
        window.offset,
        lang.as_str()
    );
    let total = sqlx::query_scalar!(r#"select count(*) as "n!" from shown_notifications where user_id = $1"#, user_id);
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// Marks one or all notifications as read.
pub async fn read(pool: &PgPool, user_id: i64, id: Option<i64>) -> Result<()> {
    let query = sqlx::query!(
        "update notifications set read_at = now() where user_id = $1 and read_at is null and id = coalesce($2, id)",
        user_id,
        id
    );
    run(query, pool).await
}

/// Removes a notification, which can be restored for a short time. Returns whether there was one.
pub async fn remove(pool: &PgPool, user_id: i64, id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "update notifications set removed_at = coalesce(removed_at, now()) where user_id = $1 and id = $2",
        user_id,
        id
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// Restores a notification that was removed within the last `seconds`, and marks it as read. Later events have their
/// own rows. Returns whether there was one.
pub async fn restore(pool: &PgPool, user_id: i64, id: i64, seconds: u32) -> Result<bool> {
    let query = sqlx::query!(
        "update notifications set removed_at = null, read_at = coalesce(read_at, removed_at)
         where user_id = $1 and id = $2 and removed_at > now() - make_interval(secs => $3)",
        user_id,
        id,
        f64::from(seconds)
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// Notification settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Kinds of notifications the member has disabled.
    pub muted: Vec<String>,
    /// Frequency of the e-mail digest.
    pub digest: String,
}

/// Returns the member's settings.
pub async fn settings(pool: &PgPool, user_id: i64) -> Result<Settings> {
    let query =
        sqlx::query_as!(Settings, "select muted, digest from notification_settings where user_id = $1", user_id);
    let found = query.fetch_optional(pool).await?;
    Ok(found.unwrap_or_else(|| Settings { muted: Vec::new(), digest: "off".to_owned() }))
}

/// Saves the member's settings. If the digest is enabled now, it starts with events from now on.
pub async fn set(pool: &PgPool, user_id: i64, settings: &Settings, lang: &str) -> Result<()> {
    let query = sqlx::query!(
        "insert into notification_settings as s (user_id, muted, digest, digest_lang) values ($1, $2, $3, $4)
         on conflict (user_id) do update set muted = excluded.muted, digest = excluded.digest, digest_lang = excluded.digest_lang,
             digest_sent_at = case when s.digest = 'off' then now() else s.digest_sent_at end",
        user_id,
        &settings.muted,
        settings.digest,
        lang
    );
    run(query, pool).await
}

/// Removes notifications that are older than `keep_days` or were removed by the member more than `undo_seconds` ago. Of the
/// rest, keeps only each member's newest `max_per_member`.
pub async fn sweep(pool: &PgPool, settings: &Notifications) -> Result<u64> {
    let old = sqlx::query!(
        "delete from notifications where happened_at < now() - make_interval(days => $1)
            or removed_at < now() - make_interval(secs => $2)",
        i32::try_from(settings.keep_days).unwrap_or(i32::MAX),
        f64::from(settings.undo_seconds)
    );
    let old = old.execute(pool).await?.rows_affected();
    let beyond = sqlx::query!(
        "delete from notifications n using (
             select o.id from (select user_id from notifications group by user_id having count(*) > $1) m
             cross join lateral (select id from notifications where user_id = m.user_id
                                 order by happened_at desc, id desc offset $1) o) b
         where n.id = b.id",
        i64::from(settings.max_per_member)
    );
    Ok(old + beyond.execute(pool).await?.rows_affected())
}
