//! Originals: uploaded files that are kept so that their films can be encoded anew (ADR 108). Triggers remove them with
//! their films, with their member's account, and once their videos are approved, if they are kept no longer.

use sqlx::PgConnection;

use crate::{Result, queue::FILM_MOVE, run, storage::Move};

/// An uploaded file that was put in its place.
#[derive(Debug, Clone, Copy)]
pub struct NewOriginal<'a> {
    /// Folder with the file.
    pub key: &'a str,
    /// Storage group that contains it.
    pub home: i32,
    /// Size in bytes.
    pub size_bytes: i64,
    /// Whether it is removed once the video is approved.
    pub until_approved: bool,
    /// Storage group to move it to, which may be the same.
    pub group: i32,
}

/// Makes a file the original of a video's film, unless the video is approved already. `sha256` is the digest of the file.
pub(crate) async fn keep(
    conn: &mut PgConnection,
    video_id: i64,
    sha256: &[u8],
    original: &NewOriginal<'_>,
) -> Result<()> {
    let query = sqlx::query!(
        "insert into originals (media_key, video_id, size_bytes, sha256, until_approved, sg_id) values ($1, $2, $3, $4, $5, $6)",
        original.key,
        video_id,
        original.size_bytes,
        sha256,
        original.until_approved,
        original.home
    );
    run(query, &mut *conn).await?;
    release_approved(conn, video_id).await?;
    request_moves(conn, original.group, Some(video_id)).await?;
    Ok(())
}

/// Removes the original of an approved video, if it is kept no longer.
async fn release_approved(conn: &mut PgConnection, video_id: i64) -> Result<()> {
    let query = sqlx::query!(
        "delete from originals o using videos v
         where o.video_id = $1 and v.id = $1 and o.until_approved and v.status_id in (published(), scheduled())",
        video_id
    );
    run(query, conn).await
}

/// Swaps the originals of two videos that have swapped their films. The first video's new film is approved.
pub(crate) async fn swap(conn: &mut PgConnection, video_id: i64, replacement: i64) -> Result<()> {
    let query = sqlx::query!(
        "update originals set video_id = case video_id when $1 then $2 else $1 end where video_id in ($1, $2)",
        video_id,
        replacement
    );
    run(query, &mut *conn).await?;
    release_approved(conn, video_id).await
}

/// An uploaded file that was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Original {
    /// Folder with the file.
    pub key: String,
    /// Group that contains it.
    pub group: i32,
    /// Size in bytes.
    pub size_bytes: i64,
    /// SHA-256 of the file.
    pub sha256: Vec<u8>,
}

/// Returns the original of a video's film, if it was kept.
pub(crate) async fn of_video(conn: &mut PgConnection, video_id: i64) -> Result<Option<Original>> {
    let query = sqlx::query_as!(
        Original,
        r#"select media_key as key, sg_id as "group", size_bytes, sha256 from originals where video_id = $1"#,
        video_id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Enqueues moves to a group: of one video's original, or of all originals that are in other groups and aren't being
/// moved there yet. Returns the number of moves.
pub async fn request_moves(conn: &mut PgConnection, to: i32, video_id: Option<i64>) -> Result<u64> {
    let query = sqlx::query!(
        "insert into jobs (kind, payload)
         select $1, jsonb_build_object('video', o.video_id, 'key', o.media_key, 'to', $2::integer) from originals o
         where o.sg_id <> $2 and ($3::bigint is null or o.video_id = $3)
           and not exists (select from jobs j where j.kind = $1 and j.state in ('queued', 'running')
                           and j.payload->>'key' = o.media_key and (j.payload->>'to')::integer = $2)",
        FILM_MOVE,
        to,
        video_id
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Records that an original was moved. Returns `false` if it is gone or was in another group.
pub(crate) async fn set_group(conn: &mut PgConnection, film: &Move, from: i32) -> Result<bool> {
    let query =
        sqlx::query!("update originals set sg_id = $2 where media_key = $1 and sg_id = $3", film.key, film.to, from);
    Ok(query.execute(conn).await?.rows_affected() == 1)
}

/// Originals in a storage group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupOriginals {
    /// Number of the group.
    pub group: i32,
    /// Number of originals.
    pub originals: i64,
    /// Their total size in bytes.
    pub bytes: i64,
}

/// Counts the originals by group.
pub async fn totals(conn: &mut PgConnection) -> Result<Vec<GroupOriginals>> {
    let query = sqlx::query_as!(
        GroupOriginals,
        r#"select sg_id as "group", count(*) as "originals!", sum(size_bytes)::bigint as "bytes!"
           from originals group by sg_id order by sg_id"#
    );
    Ok(query.fetch_all(conn).await?)
}
