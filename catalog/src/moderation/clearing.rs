//! Removes parts of a member's content (profile pictures and texts, playlists, comments, wall entries), and lists the open
//! reports about them.

use serde_json::json;
use sqlx::{PgConnection, PgPool, types::Json};
use time::OffsetDateTime;

use super::{
    Actor,
    record::{self, RecordEntry},
};
use crate::{
    Result, prints,
    profile_reviews::{self, ReviewKind},
    reports, run,
};

/// Content that can be cleared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clearable {
    /// A member's avatar, visible or pending. The picture is also banned.
    Avatar,
    /// A member's cover, visible or pending. The picture is also banned.
    Cover,
    /// Texts of a profile.
    Profile,
    /// Title and description of a playlist.
    Playlist,
    /// A comment.
    Comment,
    /// A wall entry.
    Wall,
}

impl Clearable {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Avatar => "avatar",
            Self::Cover => "cover",
            Self::Profile => "profile",
            Self::Playlist => "playlist",
            Self::Comment => "comment",
            Self::Wall => "wall",
        }
    }

    /// Returns the section of the object that reports refer to.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Self::Avatar | Self::Cover | Self::Profile => "user",
            Self::Playlist => "playlist",
            Self::Comment => "comment",
            Self::Wall => "wall",
        }
    }
}

/// Clears content of the object `id` and resolves the reports about it as justified. If these had hidden a profile, it
/// becomes visible again. Returns `false` if there is no such object.
pub async fn clear(pool: &PgPool, actor: &Actor<'_>, what: Clearable, id: i64, note: &str) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let section = what.section();
    reports::queue::lock_reports(conn, section, id).await?;
    let is_there = match what {
        Clearable::Avatar => picture(conn, id, ReviewKind::Avatar).await?,
        Clearable::Cover => picture(conn, id, ReviewKind::Cover).await?,
        Clearable::Profile => texts(conn, id).await?,
        Clearable::Playlist => playlist(conn, id).await?,
        Clearable::Comment | Clearable::Wall => reports::queue::remove_object(conn, (section, id), actor.id).await?,
    };
    if !is_there {
        return Ok(false);
    }
    reports::queue::resolve_all(conn, actor, (section, id), note).await?;
    let details = json!({ "what": what.as_str(), "note": note });
    record::add(conn, actor, RecordEntry { act: "clear", object: Some((section, id)), details }).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Removes a profile picture that is visible, pending or hidden by reports. The picture is banned, and its files are
/// retained for as long as those of a takedown.
async fn picture(conn: &mut PgConnection, user_id: i64, kind: ReviewKind) -> Result<bool> {
    let query = sqlx::query!(
        "select case $2 when 'avatar' then avatar_key else cover_key end as shown,
                (select media_key from profile_reviews where user_id = u.id and kind = $2) as waiting,
                (select before::jsonb->>$2 from report_hides where section = 'user' and object_id = u.id) as hidden
         from users u where id = $1 for update",
        user_id,
        kind.as_str()
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(false) };
    let keys: Vec<String> = [row.shown, row.waiting, row.hidden].into_iter().flatten().collect();
    prints::ban_pictures(conn, user_id, &keys).await?;
    profile_reviews::discard_pending(conn, user_id, kind).await?;
    let query = sqlx::query!(
        "with hidden as (update report_hides set before = (before::jsonb - $2)::text where section = 'user' and object_id = $1)
         update users set avatar_key = case $2 when 'avatar' then null else avatar_key end,
                cover_key = case $2 when 'cover' then null else cover_key end where id = $1",
        user_id,
        kind.as_str()
    );
    run(query, conn).await?;
    Ok(true)
}

async fn texts(conn: &mut PgConnection, user_id: i64) -> Result<bool> {
    profile_reviews::discard_pending(conn, user_id, ReviewKind::Texts).await?;
    let query = sqlx::query_scalar!(
        r#"with cleared as (update profiles set about = null, interests = null, occupation = null, education = null, city = null,
                website = null where user_id = $1)
           select exists (select from users where id = $1) as "e!""#,
        user_id
    );
    Ok(query.fetch_one(conn).await?)
}

/// Replaces the playlist's title and description. The videos stay in it.
async fn playlist(conn: &mut PgConnection, id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "update playlists set title = 'Playlist ' || id, description = 'Playlist ' || id where id = $1",
        id
    );
    Ok(query.execute(conn).await?.rows_affected() > 0)
}

/// A report, as shown to the moderator.
#[derive(Debug, Clone, serde::Deserialize)]
#[expect(missing_docs, reason = "the columns of reports, documented in the migrations")]
pub struct ShownReport {
    pub id: i64,
    pub reason: Option<String>,
    pub message: String,
    pub username: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// A reported object that isn't an upload.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of reports and users, documented in the migrations")]
pub struct ReportedObject {
    pub section: String,
    pub object_id: i64,
    /// The object's text when it was first reported.
    pub said: Option<String>,
    /// Whether reports have hidden the object.
    pub is_hidden: bool,
    /// Owner of the object, or `None` if it has none or is gone.
    pub user_id: Option<i64>,
    pub username: Option<String>,
    /// Keys of the pictures if the object is a member. They are set even while the pictures are hidden.
    pub avatar_key: Option<String>,
    pub cover_key: Option<String>,
    pub reports: Json<Vec<ShownReport>>,
}

/// Lists up to `limit` reported objects that aren't uploads. Urgent ones come first, then hidden ones, then severe
/// ones, then the oldest.
pub async fn reported(pool: &PgPool, limit: u32) -> Result<Vec<ReportedObject>> {
    let query = sqlx::query_as!(
        ReportedObject,
        r#"select r.section as "section!", r.object_id as "object_id!", r.said, h.section is not null as "is_hidden!",
                  u.id as "user_id?", u.username as "username?",
                  case when r.section = 'user' then coalesce(u.avatar_key, h.before::jsonb->>'avatar') end as avatar_key,
                  case when r.section = 'user' then coalesce(u.cover_key, h.before::jsonb->>'cover') end as cover_key,
                  r.reports as "reports!: Json<Vec<ShownReport>>"
           from (select r.section, r.object_id, (array_agg(r.said order by r.id))[1] as said, bool_or(r.is_severe) as is_severe,
                        max(case when not r.is_urgent then 0 when r.is_proven then 2 else 1 end) as urgency, min(r.id) as first,
                        jsonb_agg(jsonb_build_object('id', r.id, 'reason', r.reason, 'message', r.message, 'username', w.username,
                            'created_at', to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by r.id) as reports
                 from reports r left join users w on w.id = r.user_id
                 where r.state in ('open', 'in_review') and r.section is not null and r.section not in ('video', 'album')
                 group by 1, 2) r
                left join report_hides h on h.section = r.section and h.object_id = r.object_id
                left join lateral (select case r.section
                    when 'user' then r.object_id
                    when 'comment' then (select user_id from comments where id = r.object_id)
                    when 'wall' then (select author_id from walls where id = r.object_id)
                    when 'playlist' then (select user_id from playlists where id = r.object_id)
                    when 'message' then (select sender_id from messages where id = r.object_id) end as id) o on true
                left join users u on u.id = o.id
           order by r.urgency desc, h.section is null, not r.is_severe, r.first limit $1"#,
        i64::from(limit)
    );
    Ok(query.fetch_all(pool).await?)
}
