//! Moderation queue: uploads that await a decision or have severe reports.

use futures_util::TryStreamExt as _;
use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{Result, status::UploadStatus};

/// An upload, as shown to the moderator.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos, albums and uploads, documented in the migrations")]
pub struct QueuedUpload {
    /// `video` or `album`.
    pub section: String,
    pub id: i64,
    pub status_id: UploadStatus,
    pub revision: i32,
    pub title: String,
    pub description: String,
    /// Chapters as stored ([`crate::chapters`]). They may come from the film's file, unchecked like its name.
    pub chapters: String,
    pub user_id: Option<i64>,
    pub username: Option<String>,
    /// Id of the video that gets its film if it is approved.
    pub replaces: Option<i64>,
    pub created_at: OffsetDateTime,
    /// File name given by the member's browser. `None` if the upload was added in another way.
    pub file_name: Option<String>,
    /// Number of open reports.
    pub reports: i64,
    /// Urgency of the reports: 2 if a proven reporter gave an urgent reason, 1 if only other reporters did, otherwise
    /// 0.
    pub urgency: i32,
    /// Ids of the videos that are similar to the upload's film and aren't deleted, by distance. The next field has the
    /// banned ones.
    pub like: Vec<i64>,
    pub like_banned: Vec<i64>,
    /// Folder of a video's files. The next field is the index of the video's screenshot.
    pub media_key: Option<String>,
    pub shot: i16,
    /// Height of a film in pixels. The next field is its duration in seconds. Both are 0 for an album.
    pub height: i16,
    pub duration: i32,
    pub lang: String,
    pub gender: String,
    pub is_private: bool,
    /// When the video is to be published.
    pub publish_at: Option<OffsetDateTime>,
    /// Dirs of the upload's categories.
    pub categories: Vec<String>,
    /// Keys of an album's photos: the cover, the others in order, then those that the member removed while reports were
    /// open. For a video without a film, the key of its picture.
    pub photos: Vec<String>,
    /// Text of the captions and titles of the audio tracks that the film contained. Other texts were checked when they were sent.
    pub film_texts: Option<String>,
}

impl QueuedUpload {
    /// Returns whether the title, description, chapters, file name or a text of the film `matches`.
    pub fn has_text(&self, matches: impl Fn(&str) -> bool) -> bool {
        let texts = [
            Some(&self.title),
            Some(&self.description),
            Some(&self.chapters),
            self.file_name.as_ref(),
            self.film_texts.as_ref(),
        ];
        texts.into_iter().flatten().any(|text| matches(text))
    }
}

/// Ids of uploads to list before all others.
#[derive(Debug, Default)]
struct First {
    videos: Vec<i64>,
    albums: Vec<i64>,
}

/// Finds the uploads awaiting a decision whose title, description, chapters, file name or a text of the film `matches`.
async fn find_texts(pool: &PgPool, matches: impl Fn(&str) -> bool) -> Result<First> {
    let mut rows = sqlx::query!(
        r#"select true as "is_video!", v.id as "id!", v.title as "title!", v.description as "description!",
                  v.chapters as "chapters!", f.file_name as "file_name?", texts_of_film(v.id) as "film_texts?"
           from videos v left join uploads f on f.video_id = v.id where v.status_id = in_review()
           union all select false, id, title, description, '', null, null from albums where status_id = in_review()"#
    )
    .fetch(pool);
    let mut first = First::default();
    while let Some(row) = rows.try_next().await? {
        let texts = [
            Some(&row.title),
            Some(&row.description),
            Some(&row.chapters),
            row.file_name.as_ref(),
            row.film_texts.as_ref(),
        ];
        if texts.into_iter().flatten().any(|text| matches(text)) {
            if row.is_video { &mut first.videos } else { &mut first.albums }.push(row.id);
        }
    }
    Ok(first)
}

/// Returns an upload in any state.
pub async fn find(pool: &PgPool, section: &str, id: i64) -> Result<Option<QueuedUpload>> {
    Ok(read(pool, Some((section, id)), &First::default(), 1).await?.pop())
}

/// Lists up to `limit` uploads that await a decision, have severe reports, or were deleted while reports were open.
/// Those with urgent reports come first, then those with a prohibited text and those similar to banned films, then those similar to other
/// films, then reported ones, then the oldest.
pub async fn list(pool: &PgPool, is_prohibited: impl Fn(&str) -> bool, limit: u32) -> Result<Vec<QueuedUpload>> {
    read(pool, None, &find_texts(pool, is_prohibited).await?, limit).await
}

async fn read(pool: &PgPool, object: Option<(&str, i64)>, first: &First, limit: u32) -> Result<Vec<QueuedUpload>> {
    let query = sqlx::query_as!(
        QueuedUpload,
        r#"with waiting as materialized (select section, object_id, is_severe from reports
                                         where state in ('open', 'in_review') and section in ('video', 'album')
                                         union select section, object_id, false from report_hides where section in ('video', 'album'))
           select o.section as "section!", o.id as "id!", o.status_id as "status_id!: UploadStatus", o.revision as "revision!",
                  o.title as "title!", o.description as "description!", o.chapters as "chapters!", o.user_id, u.username as "username?", o.replaces,
                  o.created_at as "created_at!", f.file_name as "file_name?", coalesce(r.n, 0) as "reports!",
                  coalesce(r.urgency, 0) as "urgency!",
                  coalesce(l.others, '{}') as "like!", coalesce(l.banned, '{}') as "like_banned!", o.media_key,
                  o.shot as "shot!", o.height as "height!", o.duration as "duration!", o.lang as "lang!", o.gender as "gender!",
                  o.is_private as "is_private!", o.publish_at,
                  array(select c.dir from categories c join (
                            select category_id from video_categories where o.section = 'video' and video_id = coalesce(o.replaces, o.id)
                            union all select category_id from album_categories where o.section = 'album' and album_id = o.id
                        ) l on l.category_id = c.id order by c.dir) as "categories!",
                  case when o.picture_key is null
                       then array(select p.media_key from photos p where o.section = 'album' and p.album_id = o.id
                                  order by not p.is_cover, p.position)
                            || array(select m.part from media_prints m where o.section = 'album' and m.section = 'album'
                                     and m.object_id = o.id and m.held_at is not null order by m.held_at, m.part)
                       else array[o.picture_key] end as "photos!",
                  case when o.section = 'video' then texts_of_film(o.id) end as "film_texts?"
           from (select 'video' as section, id, status_id, revision, title, description, chapters, user_id, created_at, media_key, picture_key, shot,
                        height, duration, lang, gender, is_private, publish_at, case when replaced_at is null then replaces end as replaces
                 from videos
                 where ($1::text is null and (status_id = in_review() or id in (
                            select object_id from waiting where section = 'video' and (is_severe or videos.status_id = deleted()))))
                    or ($1 = 'video' and id = $2)
                 union all
                 select 'album', id, status_id, revision, title, description, '', user_id, created_at, null, null, 0::smallint,
                        0::smallint, 0, lang, gender, is_private, null, null
                 from albums
                 where ($1::text is null and (status_id = in_review() or id in (
                            select object_id from waiting where section = 'album' and (is_severe or albums.status_id = deleted()))))
                    or ($1 = 'album' and id = $2)) o
                left join users u on u.id = o.user_id
                left join uploads f on o.section = 'video' and f.video_id = o.id
                left join lateral (select count(*) as n, max(case when not r.is_urgent then 0 when r.is_proven then 2 else 1 end) as urgency
                                   from reports r where r.section = o.section and r.object_id = o.id
                                   and r.state in ('open', 'in_review')) r on true
                left join lateral (select array_agg(s.other_id order by s.distance) filter (where s.banned_at is null) as others,
                                          array_agg(s.other_id order by s.distance) filter (where s.banned_at is not null) as banned
                                   from likenesses_seen s where o.section = 'video' and s.video_id = o.id) l on true
                left join (select 'video' as section, unnest($3::bigint[]) as id union all select 'album', unnest($4::bigint[])) m
                     on m.section = o.section and m.id = o.id
           order by coalesce(r.urgency, 0) desc, l.banned is null and m.id is null, l.banned is null, l.others is null, r.n desc, o.created_at, o.section, o.id limit $5"#,
        object.map(|(section, _)| section),
        object.map(|(_, id)| id),
        &first.videos,
        &first.albums,
        i64::from(limit)
    );
    Ok(query.fetch_all(pool).await?)
}

/// A video that is similar to another one.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos, documented in the migrations")]
pub struct LikeUpload {
    pub id: i64,
    pub status_id: UploadStatus,
    pub title: String,
    pub username: Option<String>,
    pub created_at: OffsetDateTime,
    pub media_key: Option<String>,
    pub duration: i32,
    /// When the video was banned.
    pub banned_at: Option<OffsetDateTime>,
    /// Mean Hamming distance between the frames, out of 64 bits.
    pub distance: f32,
}

/// Lists videos similar to a given one. Banned ones come first, then the list is ordered by distance.
pub async fn like(pool: &PgPool, video_id: i64) -> Result<Vec<LikeUpload>> {
    let query = sqlx::query_as!(
        LikeUpload,
        r#"select v.id, v.status_id as "status_id: UploadStatus", v.title, u.username as "username?", v.created_at, v.media_key,
                  v.duration, s.banned_at, s.distance as "distance!"
           from likenesses_seen s join videos v on v.id = s.other_id left join users u on u.id = v.user_id
           where s.video_id = $1 order by s.banned_at is null, s.distance, v.id"#,
        video_id
    );
    Ok(query.fetch_all(pool).await?)
}

/// Track record of a member who uploads.
#[derive(Debug, Clone)]
pub struct QueuedUploader {
    /// When the account was created.
    pub created_at: OffsetDateTime,
    /// Number of published uploads.
    pub shown: i64,
    /// Number of rejected uploads.
    pub rejected: i64,
    /// Number of the member's uploads that were taken down.
    pub taken_down: i64,
    /// Number of justified reports about the member's uploads.
    pub reported: i64,
    /// Number of bans, including lifted ones.
    pub bans: i64,
}

/// Returns a member's track record, or `None` if there is no such member.
pub async fn uploader(pool: &PgPool, user_id: i64) -> Result<Option<QueuedUploader>> {
    let query = sqlx::query_as!(
        QueuedUploader,
        r#"with uploaded as (select 'video' as section, id, status_id, replaces is not null and rejection is not null as is_refused
                             from videos where user_id = $1
                             union all select 'album', id, status_id, false from albums where user_id = $1)
           select u.created_at,
                  (select count(*) from uploaded where status_id = published()) as "shown!",
                  (select count(*) from uploaded where status_id = rejected() or is_refused) as "rejected!",
                  (select count(*) from decisions d join uploaded o on d.section = o.section and d.object_id = o.id
                   where d.act = 'take down') as "taken_down!",
                  (select count(*) from reports r join uploaded o on r.section = o.section and r.object_id = o.id
                   where r.state = 'resolved') as "reported!",
                  (select count(*) from bans b where b.user_id = u.id) as "bans!"
           from users u where u.id = $1"#,
        user_id
    );
    Ok(query.fetch_optional(pool).await?)
}
