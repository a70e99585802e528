//! A member's own lists. They include items that only the member sees: private and unfinished uploads, private
//! playlists, and listed videos that are gone. Public listings come from the index, whereas these lists are short,
//! exact and different for each member.

use sqlx::{PgPool, types::Json};
use time::OffsetDateTime;

use crate::{
    Result,
    community::{Page, Window, page},
    documents::ByLang,
    status::UploadStatus,
};

/// A listed video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedVideo {
    /// Id of the video.
    pub video_id: i64,
    /// When the video was added, watched or uploaded.
    pub added_at: OffsetDateTime,
    /// Playback position in seconds, only in the history.
    pub stopped_at: Option<i32>,
}

/// A video in any state, as a member's own lists show it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos and video_stats, documented in the migrations")]
pub struct OwnVideo {
    pub id: i64,
    pub dir: String,
    pub lang: String,
    pub title: String,
    pub titles: Json<ByLang>,
    pub duration: i32,
    pub status_id: UploadStatus,
    pub is_private: bool,
    pub is_hd: bool,
    pub is_uncensored: bool,
    pub media_key: Option<String>,
    pub shot: i16,
    pub post_date: OffsetDateTime,
    pub readd_at: Option<OffsetDateTime>,
    pub publish_at: Option<OffsetDateTime>,
    pub viewed: i64,
    pub comments: i32,
    pub rating: f64,
    pub category_dirs: Vec<String>,
    pub model_dirs: Vec<String>,
    pub model_titles: Vec<String>,
    pub model_names: Vec<Json<ByLang>>,
    /// Whether it is the member's own upload, and silent because its audio couldn't be decoded.
    pub has_lost_audio: bool,
    /// Whether this member may see the video. If not, only the fact that it is gone is shown.
    pub shown: bool,
}

/// Lists the member's favorites, newest first.
pub async fn favourites(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<ListedVideo>> {
    let items = sqlx::query_as!(
        ListedVideo,
        r#"select video_id, added_at, null::integer as stopped_at from favourites where user_id = $1
           order by added_at desc, video_id desc limit $2 offset $3"#,
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(r#"select count(*) as "n!" from favourites where user_id = $1"#, user_id);
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// Lists "watch later" videos, newest first.
pub async fn watch_later(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<ListedVideo>> {
    let items = sqlx::query_as!(
        ListedVideo,
        r#"select video_id, added_at, null::integer as stopped_at from watch_later where user_id = $1
           order by added_at desc, video_id desc limit $2 offset $3"#,
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(r#"select count(*) as "n!" from watch_later where user_id = $1"#, user_id);
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// Lists watched videos, newest first.
pub async fn history(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<ListedVideo>> {
    let items = sqlx::query_as!(
        ListedVideo,
        r#"select video_id, watched_at as added_at, stopped_at as "stopped_at?" from history where user_id = $1
           order by watched_at desc, video_id desc limit $2 offset $3"#,
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(r#"select count(*) as "n!" from history where user_id = $1"#, user_id);
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// Lists partly watched videos to resume, newest first. Those are the videos stopped after at least `few` seconds and
/// at most `whole` percent.
pub async fn unfinished(
    pool: &PgPool,
    user_id: i64,
    (few, whole): (i32, i32),
    window: Window,
) -> Result<Page<ListedVideo>> {
    let items = sqlx::query_as!(
        ListedVideo,
        r#"select h.video_id, h.watched_at as added_at, h.stopped_at as "stopped_at?"
           from history h join videos v on v.id = h.video_id
           where h.user_id = $1 and h.stopped_at >= $2 and 100 * h.stopped_at::bigint <= $3::integer * v.duration::bigint
             and is_open_to(v, $1)
           order by h.watched_at desc, h.video_id desc limit $4 offset $5"#,
        user_id,
        few,
        whole,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!" from history h join videos v on v.id = h.video_id
           where h.user_id = $1 and h.stopped_at >= $2 and 100 * h.stopped_at::bigint <= $3::integer * v.duration::bigint
             and is_open_to(v, $1)"#,
        user_id,
        few,
        whole
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// Lists the member's uploads in any state, newest first. Deleted ones are included for owners who may re-add them,
/// except those deleted by moderators.
pub async fn uploads(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<ListedVideo>> {
    let items = sqlx::query_as!(
        ListedVideo,
        r#"select v.id as video_id, v.post_date as added_at, null::integer as stopped_at
           from videos v join users u on u.id = v.user_id
           where v.user_id = $1 and v.replaces is null
             and (v.status_id <> deleted() or (v.restore_status_id is not null and u.status_id = manages_uploads()))
           order by v.id desc limit $2 offset $3"#,
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!" from videos v join users u on u.id = v.user_id
           where v.user_id = $1 and v.replaces is null
             and (v.status_id <> deleted() or (v.restore_status_id is not null and u.status_id = manages_uploads()))"#,
        user_id
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// Returns these videos as a member's lists show them, in no particular order.
pub async fn videos(pool: &PgPool, user_id: i64, ids: &[i64]) -> Result<Vec<OwnVideo>> {
    let query = sqlx::query_as!(
        OwnVideo,
        r#"select v.id, v.dir, v.lang, v.title, v.duration, v.status_id as "status_id: UploadStatus",
                  v.is_private, v.is_hd, v.is_uncensored, shown_pictures(v.media_key, v.picture_key) as media_key, v.shot, v.post_date, v.readd_at, v.publish_at,
                  s.viewed, s.comments,
                  s.rating::numeric::float8 as "rating!",
                  v.has_lost_audio and v.user_id is not distinct from $1 as "has_lost_audio!",
                  (v.status_id = published() or v.user_id is not distinct from $1) as "shown!",
                  (select coalesce(jsonb_object_agg(t.lang, t.title), '{}')
                   from video_translations t where t.video_id = v.id) as "titles!: Json<ByLang>",
                  array(select k.dir from video_categories l join categories k on k.id = l.category_id
                        where l.video_id = v.id order by k.position, k.id) as "category_dirs!",
                  array(select m.dir from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.id) as "model_dirs!",
                  array(select m.title from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.id) as "model_titles!",
                  array(select model_names_of(l.model_id) from video_models l
                        where l.video_id = v.id order by l.model_id) as "model_names!: Vec<Json<ByLang>>"
           from videos v join video_stats s on s.video_id = v.id where v.id = any ($2)"#,
        user_id,
        ids
    );
    Ok(query.fetch_all(pool).await?)
}

/// An album in its owner's list.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of albums and album_stats, documented in the migrations")]
pub struct Album {
    pub id: i64,
    pub dir: String,
    pub lang: String,
    pub title: String,
    pub status_id: UploadStatus,
    pub rejection: Option<String>,
    pub is_private: bool,
    pub post_date: OffsetDateTime,
    pub viewed: i64,
    pub comments: i32,
    pub rating: f64,
    pub photos_amount: i64,
    pub media_key: Option<String>,
    pub category_dirs: Vec<String>,
    pub model_dirs: Vec<String>,
    pub model_titles: Vec<String>,
    pub model_names: Vec<Json<ByLang>>,
}

/// Lists the member's albums except deleted ones, newest first.
pub async fn albums(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<Album>> {
    let items = sqlx::query_as!(
        Album,
        r#"select a.id, a.dir, a.lang, a.title, a.status_id as "status_id: UploadStatus", a.rejection,
                  a.is_private, a.post_date, s.viewed, s.comments, s.rating::numeric::float8 as "rating!",
                  (select count(*) from photos p where p.album_id = a.id) as "photos_amount!",
                  (select p.media_key from photos p where p.album_id = a.id order by not p.is_cover, p.position limit 1) as "media_key?",
                  array(select k.dir from album_categories l join categories k on k.id = l.category_id
                        where l.album_id = a.id order by k.position, k.id) as "category_dirs!",
                  array(select m.dir from album_models l join models m on m.id = l.model_id
                        where l.album_id = a.id order by m.id) as "model_dirs!",
                  array(select m.title from album_models l join models m on m.id = l.model_id
                        where l.album_id = a.id order by m.id) as "model_titles!",
                  array(select model_names_of(l.model_id) from album_models l
                        where l.album_id = a.id order by l.model_id) as "model_names!: Vec<Json<ByLang>>"
           from albums a join album_stats s on s.album_id = a.id
           where a.user_id = $1 and a.status_id <> deleted() order by a.id desc limit $2 offset $3"#,
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!" from albums where user_id = $1 and status_id <> deleted()"#,
        user_id
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// A playlist in its owner's list.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of playlists and playlist_stats, documented in the migrations")]
pub struct Playlist {
    pub id: i64,
    pub title: String,
    pub description: String,
    pub is_private: bool,
    pub gender: String,
    pub created_at: OffsetDateTime,
    pub viewed: i64,
    pub rating: f64,
    /// Number of videos that others can see.
    pub total_videos: i64,
    /// Folder of the first visible video's pictures.
    pub media_key: Option<String>,
    /// Index of the screenshot shown for that video.
    pub shot: Option<i16>,
}

/// Lists the member's playlists, including private ones, newest first.
pub async fn playlists(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<Playlist>> {
    let items = sqlx::query_as!(
        Playlist,
        r#"select p.id, p.title, p.description, p.visibility = 'private' as "is_private!", p.orientation as gender,
                  p.created_at, s.viewed, s.rating::numeric::float8 as "rating!",
                  (select count(*) from playlist_items i join videos v on v.id = i.video_id
                   where i.playlist_id = p.id and v.visible) as "total_videos!",
                  f.media_key as "media_key?", f.shot as "shot?"
           from playlists p join playlist_stats s on s.playlist_id = p.id
                left join lateral (select shown_pictures(v.media_key, v.picture_key) as media_key, v.shot
                                   from playlist_items i join videos v on v.id = i.video_id
                                   where i.playlist_id = p.id and v.visible order by i.position limit 1) f on true
           where p.user_id = $1 order by p.id desc limit $2 offset $3"#,
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(r#"select count(*) as "n!" from playlists where user_id = $1"#, user_id);
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// A saved search.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of saved_searches, documented in the migrations")]
pub struct SavedSearch {
    pub id: i64,
    pub name: String,
    pub address: String,
    pub seen_at: OffsetDateTime,
}

/// Lists saved searches by name.
pub async fn saved_searches(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<SavedSearch>> {
    let items = sqlx::query_as!(
        SavedSearch,
        "select id, name, address, seen_at from saved_searches where user_id = $1
         order by lower(name), id limit $2 offset $3",
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(r#"select count(*) as "n!" from saved_searches where user_id = $1"#, user_id);
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}

/// What a member follows, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Follows {
    /// Dirs of models.
    pub models: Vec<String>,
    /// Ids of channels.
    pub channels: Vec<i64>,
    /// Ids of members.
    pub users: Vec<i64>,
}

/// Returns up to `limit` followed objects, for the feed.
pub async fn followed(pool: &PgPool, user_id: i64, limit: i64) -> Result<Follows> {
    let query = sqlx::query!(
        r#"select s.section, s.object_id, m.dir as "dir?" from subscriptions s
                left join models m on s.section = 'model' and m.id = s.object_id
           where s.user_id = $1 order by s.created_at desc, s.section, s.object_id desc limit $2"#,
        user_id,
        limit
    );
    let rows = query.fetch_all(pool).await?;
    let mut followed = Follows::default();
    for row in rows {
        match row.section.as_str() {
            "model" => followed.models.extend(row.dir),
            "channel" => followed.channels.push(row.object_id),
            _ => followed.users.push(row.object_id),
        }
    }
    Ok(followed)
}
