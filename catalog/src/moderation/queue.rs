//! Uploads that wait for a decision.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::Result;

/// An upload, as who decides on it sees it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos, albums and uploads, documented in the migrations")]
pub struct Upload {
    /// `video` or `album`.
    pub section: String,
    pub id: i64,
    pub status_id: i16,
    pub revision: i32,
    pub title: String,
    pub description: String,
    pub user_id: Option<i64>,
    pub username: Option<String>,
    pub created_at: OffsetDateTime,
    /// As its member's browser called it; `None` where it came in another way.
    pub file_name: Option<String>,
    /// Reports of it that wait.
    pub reports: i64,
    /// Folder of a video's files, and which screenshot is its picture.
    pub media_key: Option<String>,
    pub shot: i16,
    /// Pixels and seconds of a film; 0 of an album.
    pub height: i16,
    pub duration: i32,
    pub lang: String,
    pub gender: String,
    pub is_private: bool,
    /// Dirs of its categories.
    pub categories: Vec<String>,
    /// Keys of an album's photos, in their order.
    pub photos: Vec<String>,
}

/// Which are listed.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Only this one, whatever became of it unless it was deleted; otherwise those that wait.
    pub object: Option<(&'a str, i64)>,
    /// Rows at most.
    pub limit: i64,
}

/// Uploads that wait: those that reports speak of, then the oldest.
pub async fn list(pool: &PgPool, wanted: Wanted<'_>) -> Result<Vec<Upload>> {
    let query = sqlx::query_as!(
        Upload,
        r#"select o.section as "section!", o.id as "id!", o.status_id as "status_id!", o.revision as "revision!",
                  o.title as "title!", o.description as "description!", o.user_id, u.username as "username?",
                  o.created_at as "created_at!", f.file_name as "file_name?", coalesce(r.n, 0) as "reports!", o.media_key,
                  o.shot as "shot!", o.height as "height!", o.duration as "duration!", o.lang as "lang!", o.gender as "gender!",
                  o.is_private as "is_private!",
                  array(select c.dir from categories c join (
                            select category_id from video_categories where o.section = 'video' and video_id = o.id
                            union all select category_id from album_categories where o.section = 'album' and album_id = o.id
                        ) l on l.category_id = c.id order by c.dir) as "categories!",
                  array(select p.media_key from photos p where o.section = 'album' and p.album_id = o.id
                        order by p.position) as "photos!"
           from (select 'video' as section, id, status_id, revision, title, description, user_id, created_at, media_key, shot,
                        height, duration, lang, gender, is_private
                 from videos where ($1::text is null and status_id = 2) or ($1 = 'video' and id = $2 and status_id <> 5)
                 union all
                 select 'album', id, status_id, revision, title, '', user_id, created_at, null, 0::smallint,
                        0::smallint, 0, lang, gender, is_private
                 from albums where ($1::text is null and status_id = 2) or ($1 = 'album' and id = $2 and status_id <> 5)) o
                left join users u on u.id = o.user_id
                left join uploads f on o.section = 'video' and f.video_id = o.id
                left join lateral (select count(*) as n from reports r where r.section = o.section and r.object_id = o.id
                                   and r.state in ('open', 'in_review')) r on true
           order by r.n desc, o.created_at, o.section, o.id limit $3"#,
        wanted.object.map(|(section, _)| section),
        wanted.object.map(|(_, id)| id),
        wanted.limit
    );
    Ok(query.fetch_all(pool).await?)
}

/// What is known of a member who uploads.
#[derive(Debug, Clone)]
pub struct Uploader {
    /// When the account was made.
    pub created_at: OffsetDateTime,
    /// Uploads that are shown.
    pub shown: i64,
    /// Uploads that were rejected.
    pub rejected: i64,
    /// Times a person took something of theirs away.
    pub taken_down: i64,
    /// Reports of uploads of theirs that were right.
    pub reported: i64,
    /// Bans, lifted or not.
    pub bans: i64,
}

/// A member's history; `None` when there is no such member.
pub async fn uploader(pool: &PgPool, user_id: i64) -> Result<Option<Uploader>> {
    let query = sqlx::query_as!(
        Uploader,
        r#"select u.created_at,
                  (select count(*) from videos v where v.user_id = u.id and v.status_id = 1)
                      + (select count(*) from albums a where a.user_id = u.id and a.status_id = 1) as "shown!",
                  (select count(*) from videos v where v.user_id = u.id and v.status_id = 4)
                      + (select count(*) from albums a where a.user_id = u.id and a.status_id = 4) as "rejected!",
                  (select count(*) from decisions d join videos v on d.section = 'video' and d.object_id = v.id
                   where v.user_id = u.id and d.act = 'take down') as "taken_down!",
                  (select count(*) from reports r join videos v on r.section = 'video' and r.object_id = v.id
                   where v.user_id = u.id and r.state = 'resolved') as "reported!",
                  (select count(*) from bans b where b.user_id = u.id) as "bans!"
           from users u where u.id = $1"#,
        user_id
    );
    Ok(query.fetch_optional(pool).await?)
}
