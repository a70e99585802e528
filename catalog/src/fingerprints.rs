//! Perceptual fingerprints, which recognize a film in another encoding, and the similarity between videos.

use lantern_config::Likeness;
use sqlx::PgConnection;

use crate::{Result, run};

/// Number of frames in a fingerprint.
pub const FRAMES: usize = 10;

/// 64-bit hash of each frame. `None` for uninformative frames, such as black ones.
pub type Frames = [Option<i64>; FRAMES];

/// Fingerprint of a film.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fingerprint {
    /// Duration in seconds.
    pub seconds: f32,
    /// Hashes of the frames, which are at the same relative positions in every film.
    pub frames: Frames,
}

impl Fingerprint {
    /// Returns the mean Hamming distance between the film's own frames. It is low for a static scene (a person in a
    /// room), where another film from the same place looks alike. It is 0 if fewer than two frames are informative.
    #[must_use]
    pub fn spread(&self) -> f32 {
        let hashes: Vec<i64> = self.frames.iter().copied().flatten().collect();
        let pairs =
            hashes.iter().enumerate().flat_map(|(at, one)| hashes[at + 1..].iter().map(move |other| one ^ other));
        let apart: Vec<u16> = pairs.map(|differing| differing.count_ones() as u16).collect();
        let pairs = apart.len().max(1) as f32;
        f32::from(apart.iter().sum::<u16>()) / pairs
    }
}

/// A video similar to a film.
#[derive(Debug, Clone, PartialEq)]
pub struct LikeFilm {
    /// Id of the video.
    pub video_id: i64,
    /// Owner of the video.
    pub user_id: Option<i64>,
    /// Whether the video is banned by a takedown.
    pub is_banned: bool,
    /// Mean Hamming distance between the frames of the two films.
    pub distance: f32,
}

/// Maximum number of similar videos stored per video. A person reviews only a few, and if there are more, they are all
/// the same film.
const MOST: i64 = 10;

/// Finds videos that are similar to a film, and that are either banned or not deleted. Banned videos come first. Within
/// both groups, the videos are ordered by distance.
pub async fn find(conn: &mut PgConnection, film: &Fingerprint, bounds: &Likeness) -> Result<Vec<LikeFilm>> {
    let apart = (film.seconds * bounds.percent / 100.0).max(bounds.seconds);
    // The frames are compared one by one, so that the comparison ends at the first differing frame. Many films have
    // similar durations.
    let query = sqlx::query!(
        r#"with near as materialized (
               select video_id, frames, banned_at from fingerprints
               where seconds between $1::real and $2::real
                 and frame_distance(frames[1], ($3::bigint[])[1]) <= $4 is not false
                 and frame_distance(frames[2], ($3::bigint[])[2]) <= $4 is not false
                 and frame_distance(frames[3], ($3::bigint[])[3]) <= $4 is not false
                 and frame_distance(frames[4], ($3::bigint[])[4]) <= $4 is not false
                 and frame_distance(frames[5], ($3::bigint[])[5]) <= $4 is not false
                 and frame_distance(frames[6], ($3::bigint[])[6]) <= $4 is not false
                 and frame_distance(frames[7], ($3::bigint[])[7]) <= $4 is not false
                 and frame_distance(frames[8], ($3::bigint[])[8]) <= $4 is not false
                 and frame_distance(frames[9], ($3::bigint[])[9]) <= $4 is not false
                 and frame_distance(frames[10], ($3::bigint[])[10]) <= $4 is not false)
           select n.video_id, v.user_id as "user_id?", n.banned_at is not null as "is_banned!", d.mean as "distance!"
           from near n
                cross join lateral (select count(*) as pairs, avg(frame_distance(one, other))::real as mean
                                    from unnest(n.frames, $3::bigint[]) as f (one, other)
                                    where one is not null and other is not null) d
                left join videos v on v.id = n.video_id
           where d.pairs >= $5 and d.mean <= $6::real and (n.banned_at is not null or v.status_id <> deleted())
           order by n.banned_at is null, d.mean, n.video_id limit $7"#,
        film.seconds - apart,
        film.seconds + apart,
        &film.frames as &[Option<i64>],
        i32::from(bounds.frame_bits),
        i64::from(bounds.frames),
        bounds.mean_bits,
        MOST
    );
    let found = query.fetch_all(conn).await?.into_iter().map(|row| LikeFilm {
        video_id: row.video_id,
        user_id: row.user_id,
        is_banned: row.is_banned,
        distance: row.distance,
    });
    Ok(found.collect())
}

/// Stores the fingerprint of a new video and the videos similar to it.
pub async fn keep(conn: &mut PgConnection, video_id: i64, film: &Fingerprint, like: &[LikeFilm]) -> Result<()> {
    let query = sqlx::query!(
        "insert into fingerprints (video_id, seconds, frames) values ($1, $2, $3)",
        video_id,
        film.seconds,
        &film.frames as &[Option<i64>]
    );
    run(query, &mut *conn).await?;
    for other in like {
        // The pairs are stored in both directions, so that a lookup from either video finds the other.
        let query = sqlx::query!(
            "insert into likenesses (video_id, other_id, distance)
             select one, other, $3 from (values ($1::bigint, $2::bigint), ($2, $1)) as pair (one, other)
             where exists (select from videos where id = one)",
            video_id,
            other.video_id,
            other.distance
        );
        run(query, &mut *conn).await?;
    }
    Ok(())
}

/// Swaps the fingerprints of a video and its replacement, and the similarities to other videos.
pub(crate) async fn swap(conn: &mut PgConnection, video_id: i64, replacement: i64) -> Result<()> {
    // A video from before there were fingerprints has none, and then neither has its former film.
    let query = sqlx::query!(
        "with films as (select video_id, seconds, frames, banned_at from fingerprints where video_id in ($1, $2)),
              moved as (update fingerprints f set seconds = b.seconds, frames = b.frames, banned_at = b.banned_at from films b
                        where f.video_id in ($1, $2) and b.video_id in ($1, $2) and f.video_id <> b.video_id returning f.video_id)
         insert into fingerprints (video_id, seconds, frames, banned_at)
         select $1, seconds, frames, banned_at from films where not exists (select from moved)",
        video_id,
        replacement
    );
    if query.execute(&mut *conn).await?.rows_affected() > 0 {
        run(sqlx::query!("delete from fingerprints where video_id = $1", replacement), &mut *conn).await?;
    }
    let query = sqlx::query!(
        "delete from likenesses where video_id in ($1, $2) or other_id in ($1, $2) returning video_id, other_id, distance",
        video_id,
        replacement
    );
    let swapped = |id: i64| match id {
        id if id == video_id => replacement,
        id if id == replacement => video_id,
        id => id,
    };
    for row in query.fetch_all(&mut *conn).await? {
        let query = sqlx::query!(
            "insert into likenesses (video_id, other_id, distance) values ($1, $2, $3)",
            swapped(row.video_id),
            swapped(row.other_id),
            row.distance
        );
        run(query, &mut *conn).await?;
    }
    Ok(())
}

/// Bans the fingerprint of a video permanently, and those of its former films.
pub async fn ban(conn: &mut PgConnection, video_id: i64) -> Result<()> {
    let query = sqlx::query!(
        "update fingerprints set banned_at = now() where video_id = $1
         or video_id in (select id from videos where replaces = $1 and replaced_at is not null)",
        video_id
    );
    run(query, conn).await
}
