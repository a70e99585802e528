//! Captions of videos that guests may see.

use serde::Deserialize;
use sqlx::{PgConnection, types::Json};

use crate::Error;

/// A track that guests may see, with its lines.
#[derive(Debug, Clone)]
pub struct CaptionsRow {
    /// Video that it belongs to.
    pub video_id: i64,
    /// ISO 639-1 code of its language.
    pub lang: String,
    /// `subtitles` or `captions`.
    pub kind: String,
    /// Orientation code of the video.
    pub gender: String,
    /// In the order of their times. There is at least one.
    pub lines: Json<Vec<CaptionLine>>,
}

/// A line of a track, as stored.
#[derive(Debug, Clone, Deserialize)]
pub struct CaptionLine {
    /// When it appears, in milliseconds from the start of the film.
    pub from: u32,
    /// Text with tags and escapes ([`crate::captions::plain`]).
    pub text: String,
}

/// Returns up to `limit` ids of videos with captions that are greater than `after`, in ascending order, whether visible or
/// not.
pub async fn ids_after(conn: &mut PgConnection, after: i64, limit: i64) -> Result<Vec<i64>, Error> {
    let query = sqlx::query_scalar!(
        "select distinct video_id from captions where video_id > $1 order by video_id limit $2",
        after,
        limit
    );
    Ok(query.fetch_all(conn).await?)
}

/// Counts the passages of captions that guests may see, if a passage has `size` lines.
pub async fn count(conn: &mut PgConnection, size: i32) -> Result<i64, Error> {
    let query = sqlx::query_scalar!(
        r#"select coalesce(sum((c.lines + $1 - 1) / $1), 0) as "n!"
           from captions c join videos v on v.id = c.video_id where v.visible"#,
        size
    );
    Ok(query.fetch_one(conn).await?)
}

/// Returns the number of passages of the video with the most lines, at least 1, if a passage has `size` lines.
pub async fn most_per_video(conn: &mut PgConnection, size: i32) -> Result<i64, Error> {
    let query = sqlx::query_scalar!(
        r#"select coalesce(max(n), 1) as "n!"
           from (select sum((lines + $1 - 1) / $1) as n from captions group by video_id) videos"#,
        size
    );
    Ok(query.fetch_one(conn).await?)
}

/// Returns the tracks of these videos that guests may see, in a fixed order.
pub async fn rows(conn: &mut PgConnection, video_ids: &[i64]) -> Result<Vec<CaptionsRow>, Error> {
    let query = sqlx::query_as!(
        CaptionsRow,
        r#"select c.video_id, c.lang, c.kind, v.gender, c.cues as "lines: Json<Vec<CaptionLine>>"
           from captions c join videos v on v.id = c.video_id
           where c.video_id = any ($1) and v.visible order by c.video_id, c.lang, c.kind"#,
        video_ids
    );
    Ok(query.fetch_all(conn).await?)
}
