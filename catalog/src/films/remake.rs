//! Remakes: films that are encoded anew from their originals, or from their largest renditions (ADR 108). The video then
//! names the new files, and the former ones serve existing links for a while.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{Connection, PgConnection, PgPool, types::Json};

use super::{Step, outcome::HD};
use crate::{
    Result,
    audio_tracks::AudioTrack,
    originals::{self, Original},
    queue::{self, FILM_REMAKE, Job},
    run, storage,
    video_codec::VideoCodec,
};

/// Payload of a job that remakes a film.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remake {
    /// Id of the video, for display.
    pub video: i64,
    /// Folder of the film's files.
    pub key: String,
    /// Whether the source is the largest rendition instead of the original.
    #[serde(default)]
    pub from_rendition: bool,
    /// Current step, or `None` before the work starts.
    #[serde(default)]
    pub step: Option<Step>,
    /// Progress of the step, 0 to 100.
    #[serde(default)]
    pub percent: u8,
}

/// A film to remake.
#[derive(Debug, Clone)]
pub struct RemakeSource {
    /// Group that contains the film's files.
    pub group: i32,
    /// Duration in seconds.
    pub duration: i32,
    /// Audio tracks, if there are several.
    pub audio_tracks: Vec<AudioTrack>,
    /// Whether the film is silent because its audio couldn't be decoded.
    pub has_lost_audio: bool,
    /// The uploaded file, if it was kept.
    pub original: Option<Original>,
}

/// Returns the film in a folder, or `None` if no video has it that isn't deleted.
pub async fn remake_source(conn: &mut PgConnection, key: &str) -> Result<Option<RemakeSource>> {
    let query = sqlx::query!(
        r#"select id, sg_id, duration, audio_tracks as "audio_tracks: Json<Vec<AudioTrack>>", has_lost_audio
           from videos where media_key = $1 and status_id <> deleted()"#,
        key
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(None) };
    Ok(Some(RemakeSource {
        group: row.sg_id,
        duration: row.duration,
        audio_tracks: row.audio_tracks.0,
        has_lost_audio: row.has_lost_audio,
        original: originals::of_video(conn, row.id).await?,
    }))
}

/// A film that was encoded anew.
#[derive(Debug, Clone)]
pub struct RemadeFilm<'a> {
    /// Folder of its files.
    pub media_key: &'a str,
    /// Storage group that contains them.
    pub home: i32,
    /// Height of the tallest rendition in pixels.
    pub height: i16,
    /// Codec of the second set of renditions, if there is one.
    pub second_codec: Option<VideoCodec>,
    /// Audio tracks, if there are several.
    pub audio_tracks: &'a [AudioTrack],
    /// Whether the film is silent because its audio couldn't be decoded.
    pub has_lost_audio: bool,
    /// What the renditions were made with.
    pub encoding: &'a Value,
    /// How long the former files serve existing links.
    pub former_for: Duration,
}

/// How a remake ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemakeOutcome {
    /// This video has the new files.
    Remade(i64),
    /// The video is deleted or has another film. The new files are to be discarded.
    Unneeded,
    /// Another worker holds the job. The new files are to be discarded.
    Lost,
}

/// Gives the video that has the film in the folder `key` its new files, and finishes the job, atomically. The new files
/// move to the group of the former ones, or to the one these were about to move to.
pub async fn finish_remake(
    conn: &mut PgConnection,
    job: &Job,
    key: &str,
    made: &RemadeFilm<'_>,
) -> Result<RemakeOutcome> {
    let mut transaction = conn.begin().await?;
    let conn = &mut *transaction;
    let query = sqlx::query!(
        r#"select id, sg_id,
                  coalesce((select (payload->>'to')::integer from jobs
                            where kind = 'film_move' and state in ('queued', 'running') and payload->>'key' = $1
                            order by id desc limit 1), sg_id) as "to!"
           from videos where media_key = $1 and status_id <> deleted() for update"#,
        key
    );
    let Some(former) = query.fetch_optional(&mut *conn).await? else { return Ok(RemakeOutcome::Unneeded) };
    if !queue::finish(conn, job, None).await? {
        return Ok(RemakeOutcome::Lost);
    }
    let query = sqlx::query!(
        "update videos set media_key = $2, sg_id = $9, height = $3, is_hd = $4, second_codec = $5, audio_tracks = $6, has_lost_audio = $7,
                encoding = $8 where id = $1",
        former.id,
        made.media_key,
        made.height,
        made.height >= HD,
        made.second_codec.map(VideoCodec::as_str),
        Json(made.audio_tracks) as _,
        made.has_lost_audio,
        made.encoding,
        made.home
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        "insert into former_films (media_key, video_id, sg_id, remove_at) values ($1, $2, $3, now() + make_interval(secs => $4))",
        key,
        former.id,
        former.sg_id,
        made.former_for.as_secs_f64()
    );
    run(query, &mut *conn).await?;
    storage::request_moves(conn, former.to, Some(former.id)).await?;
    let query = sqlx::query!(
        "insert into sitemap_stale (section, object_id) values ('video', $1) on conflict do nothing",
        former.id
    );
    run(query, conn).await?;
    transaction.commit().await?;
    Ok(RemakeOutcome::Remade(former.id))
}

/// Removes the former files of films that were remade long enough ago.
pub async fn drop_former(conn: &mut PgConnection) -> Result<()> {
    run(sqlx::query!("delete from former_films where remove_at <= now()"), conn).await
}

/// Former files follow their film to the other of two videos that swap their films.
pub(super) async fn swap_former(conn: &mut PgConnection, video_id: i64, replacement: i64) -> Result<()> {
    let query = sqlx::query!(
        "update former_films set video_id = case video_id when $1 then $2 else $1 end where video_id in ($1, $2)",
        video_id,
        replacement
    );
    run(query, conn).await
}

/// Why a failed remake is not retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnneededRemake {
    /// The video is deleted or has other files.
    Gone,
    /// The original wasn't kept.
    NoOriginal,
    /// Another job remakes the film.
    Requested,
    /// The job isn't a failed remake any more.
    Changed,
}

/// Requeues a failed remake, or returns why not.
pub async fn retry_remake(
    pool: &PgPool,
    job_id: i64,
    remake: &Remake,
) -> Result<std::result::Result<(), UnneededRemake>> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let query = sqlx::query!(
        r#"select exists (select from originals where video_id = v.id) as "has_original!",
                  exists (select from jobs where kind = 'film_remake' and state in ('queued', 'running') and payload->>'key' = $1)
                      as "requested!"
           from videos v where media_key = $1 and status_id <> deleted() for update"#,
        remake.key
    );
    Ok(match query.fetch_optional(&mut *conn).await? {
        None => Err(UnneededRemake::Gone),
        Some(film) if !film.has_original && !remake.from_rendition => Err(UnneededRemake::NoOriginal),
        Some(film) if film.requested => Err(UnneededRemake::Requested),
        Some(_) if !queue::requeue(conn, job_id, None).await? => Err(UnneededRemake::Changed),
        Some(_) => {
            transaction.commit().await?;
            Ok(())
        }
    })
}

/// Returns whether an upload waits for a worker. Remakes let it go first.
pub async fn is_upload_waiting(conn: &mut PgConnection) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from jobs where kind = 'film' and state in ('queued', 'running') and run_at <= clock_timestamp()
                          and (claimed_until is null or claimed_until < clock_timestamp())) as "w!""#
    );
    Ok(query.fetch_one(conn).await?)
}

/// Numbers of remakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RemakeTotals {
    /// Waiting and running remakes.
    pub waiting: i64,
    /// Films whose former files are still there.
    pub former: i64,
}

/// Counts the remakes.
pub async fn remake_totals(conn: &mut PgConnection) -> Result<RemakeTotals> {
    let waiting = queue::waiting(&mut *conn, FILM_REMAKE).await?;
    let query = sqlx::query_scalar!(r#"select count(*) as "n!" from former_films"#);
    Ok(RemakeTotals { waiting, former: query.fetch_one(conn).await? })
}
