//! Demo data: a whole site, generated from a seed. The same options yield the same rows on every machine.
//!
//! A generator thread writes rows in the order of their ids, [`load`] copies them into all tables concurrently, and a
//! final step updates sequences and planner statistics. Counters match the rows they count.

mod albums;
mod community;
mod crowd;
mod dice;
mod load;
pub mod marks;
mod members;
mod models;
mod playlists;
mod searches;
mod tables;
mod videos;
mod words;

use std::time::Duration;

use lantern_config::Mode;
use sqlx::{AssertSqlSafe, PgConnection, PgPool};
use time::OffsetDateTime;
use tokio::sync::watch;

use crate::{Error, Result};
pub use crowd::{Sums, crowd, sums};
use load::{EarlyEnd, Loader};
use tables::Tables;
use words::Words;

/// Name and password of the demo member, as documented in the README.
pub const DEMO_USER: &str = "demo";
/// See [`DEMO_USER`].
pub const DEMO_PASSWORD: &str = "demo-lantern";

/// Seconds per day.
const DAY: i64 = 86_400;
/// Age of the oldest posts in days.
const YEARS_BACK: i64 = 3 * 365;
/// Arbitrary lock key, which prevents concurrent loads into the same database.
const LOCK: i64 = 0x5eed;

/// Options of the generated data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedOptions {
    /// Seed of the random numbers.
    pub seed: u64,
    /// Number of videos, including deleted and private ones.
    pub videos: u32,
    /// Number of categories, at most 60, because only those have titles.
    pub categories: u32,
    /// Number of models.
    pub models: u32,
    /// Number of members, including the demo member (at least one).
    pub members: u32,
    /// Number of albums.
    pub albums: u32,
    /// Number of playlists.
    pub playlists: u32,
    /// Number of channels.
    pub channels: u32,
    /// Current time. The newest videos are from this time, and the view windows end on this day.
    pub now: OffsetDateTime,
}

impl Default for SeedOptions {
    fn default() -> Self {
        Self {
            seed: 1,
            videos: 5_000,
            categories: 60,
            models: 400,
            members: 800,
            albums: 300,
            playlists: 500,
            channels: 24,
            now: OffsetDateTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600), // 2026-01-01
        }
    }
}

impl SeedOptions {
    /// Scales the default proportions to this number of videos. People and lists grow with its square root.
    #[must_use]
    pub fn scaled(videos: u32) -> Self {
        let defaults = Self::default();
        let factor = (f64::from(videos) / f64::from(defaults.videos)).sqrt().max(1.0);
        let grown = |n: u32| (f64::from(n) * factor) as u32;
        Self {
            videos,
            models: grown(defaults.models),
            members: grown(defaults.members),
            albums: grown(defaults.albums),
            playlists: grown(defaults.playlists),
            ..defaults
        }
    }
}

/// Returns whether demo data can be loaded, because the catalog is empty or contains only what an interrupted load
/// left.
pub async fn is_empty(pool: &PgPool) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from seeds where finished_at is null)
               or not (exists (select from videos) or exists (select from users) or exists (select from models)
                       or exists (select from categories) or exists (select from albums)) as "empty!""#
    );
    let empty = query.fetch_one(pool).await?;
    Ok(empty)
}

/// Returns whether the catalog contains demo data.
pub async fn is_demo(pool: &PgPool) -> Result<bool> {
    Ok(sqlx::query_scalar!(r#"select exists (select from seeds where finished_at is not null) as "demo!""#)
        .fetch_one(pool)
        .await?)
}

/// Fills an empty catalog. `progress` is called with the number of finished videos and their total.
///
/// # Errors
/// [`Error::Seed`] in production mode, if the catalog isn't empty, or if another load is running. Otherwise, the
/// database error. The next load discards what a failed one left.
pub async fn run(pool: &PgPool, mode: Mode, options: &SeedOptions, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<()> {
    if mode == Mode::Production {
        return Err(Error::Seed("production mode refuses demo data".to_owned()));
    }
    let mut guard = pool.acquire().await?;
    let alone =
        sqlx::query_scalar!(r#"select pg_try_advisory_lock($1) as "alone!""#, LOCK).fetch_one(&mut *guard).await?;
    if !alone {
        return Err(Error::Seed("demo data is already being loaded into this database".to_owned()));
    }
    let outcome = fill(pool, &mut guard, options, progress).await;
    sqlx::query_scalar!("select pg_advisory_unlock($1)", LOCK).fetch_one(&mut *guard).await?;
    outcome
}

async fn fill(
    pool: &PgPool,
    conn: &mut PgConnection,
    options: &SeedOptions,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<()> {
    if !is_empty(pool).await? {
        return Err(Error::Seed("the catalog is not empty; demo data requires an empty catalog".to_owned()));
    }
    clear(conn).await?;
    let query = sqlx::query_scalar!(
        "insert into seeds (seed, videos) values ($1, $2) returning id",
        options.seed.cast_signed(),
        i64::from(options.videos)
    );
    let id = query.fetch_one(&mut *conn).await?;
    load_all(pool, options, progress).await?;
    finish(conn).await?;
    sqlx::query!("update seeds set finished_at = clock_timestamp() where id = $1", id).execute(conn).await?;
    Ok(())
}

/// Discards what an interrupted load left.
async fn clear(conn: &mut PgConnection) -> Result<()> {
    // Triggers are disabled during the load, so all indexes must be rebuilt.
    sqlx::query!("delete from outbox_consumers").execute(&mut *conn).await?;
    let tables = tables::NAMES.join(", ");
    // "cascade" also truncates tables that have no demo data (sessions, uploads…). `is_empty` guarantees that they are
    // empty.
    let sql = format!("truncate seeds, outbox, counter_marks, {tables} restart identity cascade");
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(conn).await?;
    Ok(())
}

async fn load_all(pool: &PgPool, options: &SeedOptions, progress: &(dyn Fn(u64, u64) + Sync)) -> Result<()> {
    let demo_hash =
        members::demo_hash(options.seed).map_err(|e| Error::Seed(format!("hashing the demo password failed: {e}")))?;
    let mut loader = Loader::new((*pool.connect_options()).clone());
    let tables = Tables::open(&mut loader);
    let (done, mut seen) = watch::channel(0_u64);
    let total = u64::from(options.videos);
    let plan = options.clone();
    let generator = tokio::task::spawn_blocking(move || generate(&plan, demo_hash, tables, &done));
    while seen.changed().await.is_ok() {
        let done = *seen.borrow_and_update();
        progress(done, total);
    }
    let generated = generator.await.map_err(|e| Error::Seed(format!("generating demo data was interrupted: {e}")))?;
    // If a table failed, its error explains the cause. The generator's own error matters only if no table failed.
    loader.finish().await?;
    generated.map_err(|EarlyEnd| Error::Seed("loading demo data stopped early".to_owned()))
}

/// State shared by all parts of the generator.
struct World<'a> {
    options: &'a SeedOptions,
    words: Words,
    /// Current time in Unix seconds.
    now: i64,
    demo_hash: String,
    cast: models::Cast,
    tally: community::Tally,
}

fn generate(
    options: &SeedOptions,
    demo_hash: String,
    mut tables: Tables,
    done: &watch::Sender<u64>,
) -> Result<(), EarlyEnd> {
    let words = Words::load();
    let now = options.now.unix_timestamp();
    let cast = models::cast(options, &words);
    let tally = community::Tally::new(options);
    let mut world = World { options, words, now, demo_hash, cast, tally };
    members::write(&world, &mut tables)?;
    models::write(&world, &mut tables)?;
    videos::write(&world, &mut tables, done)?;
    albums::write(&world, &mut tables)?;
    playlists::write(&world, &mut tables)?;
    community::write(&mut world, &mut tables)?;
    searches::write(&world, &mut tables)?;
    tables.close()
}

/// Updates the sequences and the planner statistics. The sequences need this because the rows were loaded with explicit
/// ids.
async fn finish(conn: &mut PgConnection) -> Result<()> {
    let query = sqlx::query_scalar!(
        r#"select c.relname as "name!" from pg_attribute a join pg_class c on c.oid = a.attrelid
           where a.attidentity <> '' and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace"#
    );
    let serial = query.fetch_all(&mut *conn).await?;
    for table in serial.iter().filter(|t| tables::NAMES.contains(&t.as_str())) {
        let sql = format!(
            "select setval(pg_get_serial_sequence('{table}', 'id'), coalesce(max(id), 1), max(id) is not null) from {table}"
        );
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut *conn).await?;
    }
    sqlx::raw_sql("analyze").execute(conn).await?;
    Ok(())
}
