//! Films that an operator selects for remakes.

use serde_json::Value;
use sqlx::PgConnection;
use time::Date;

use super::Remake;
use crate::{Result, names::NameKey, queue::FILM_REMAKE, video_codec::VideoCodec};

/// Films per page.
const PAGE: i64 = 1000;

/// Which films are selected. All conditions must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Id of the video.
    pub video: Option<i64>,
    /// Username of the video's member.
    pub member: Option<String>,
    /// Shorter side of the tallest rendition in pixels.
    pub height: Option<i16>,
    /// Codec of the second set of renditions; an inner `None` selects films without one.
    pub second_codec: Option<Option<VideoCodec>>,
    /// Uploaded before this day, in UTC.
    pub before: Option<Date>,
    /// Uploaded on this day or later, in UTC.
    pub since: Option<Date>,
}

/// A selected film.
#[derive(Debug, Clone, PartialEq)]
pub struct SelectedFilm {
    /// Id of the video.
    pub video_id: i64,
    /// Folder of the film's files.
    pub key: String,
    /// What its renditions were made with, if that was recorded.
    pub encoding: Option<Value>,
    /// Whether its original was kept.
    pub has_original: bool,
    /// Whether it is being remade, or will be.
    pub is_requested: bool,
}

/// Returns the next page of selected films whose videos aren't deleted, by the ids of their videos. `after` is the last
/// id of the page before, or 0. After the last page, the answer is empty.
pub async fn select(conn: &mut PgConnection, wanted: &Selection, after: i64) -> Result<Vec<SelectedFilm>> {
    let member = wanted.member.as_deref().map(NameKey::of);
    let query = sqlx::query_as!(
        SelectedFilm,
        r#"select v.id as video_id, v.media_key as "key!", v.encoding,
                  exists (select from originals o where o.video_id = v.id) as "has_original!",
                  exists (select from jobs j where j.kind = 'film_remake' and j.state in ('queued', 'running')
                          and j.payload->>'key' = v.media_key) as "is_requested!"
           from videos v
           where v.id > $1 and v.media_key like 'films/%' and v.status_id <> deleted()
             and ($3::bigint is null or v.id = $3)
             and ($4::text is null or v.user_id = (select id from users where name_key(username) = $4))
             and ($5::smallint is null or v.height = $5)
             and (not $6 or v.second_codec is not distinct from $7)
             and (($8::date is null and $9::date is null) or exists (
                     select from (select coalesce((select max(u.created_at) from uploads u where u.video_id = v.id), v.post_date)
                                         at time zone 'UTC' as at) uploaded
                     where ($8 is null or uploaded.at < $8) and ($9 is null or uploaded.at >= $9)))
           order by v.id limit $2"#,
        after,
        PAGE,
        wanted.video,
        member.as_ref().map(NameKey::as_str),
        wanted.height,
        wanted.second_codec.is_some(),
        wanted.second_codec.flatten().map(VideoCodec::as_str),
        wanted.before,
        wanted.since
    );
    Ok(query.fetch_all(conn).await?)
}

/// Enqueues remakes, except for films that are already being remade or will be. Returns their number.
pub async fn request_remakes(conn: &mut PgConnection, remakes: &[Remake]) -> Result<u64> {
    let (ids, keys): (Vec<i64>, Vec<String>) = remakes.iter().map(|remake| (remake.video, remake.key.clone())).unzip();
    let from: Vec<bool> = remakes.iter().map(|remake| remake.from_rendition).collect();
    let query = sqlx::query!(
        "insert into jobs (kind, payload)
         select $1, jsonb_build_object('video', r.id, 'key', r.key, 'from_rendition', r.from_rendition)
         from unnest($2::bigint[], $3::text[], $4::boolean[]) as r(id, key, from_rendition)
         where not exists (select from jobs j where j.kind = 'film_remake' and j.state in ('queued', 'running') and j.payload->>'key' = r.key)
         order by r.id",
        FILM_REMAKE,
        &ids,
        &keys,
        &from
    );
    Ok(query.execute(conn).await?.rows_affected())
}
